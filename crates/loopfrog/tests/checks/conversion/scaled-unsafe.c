/* A measured value becomes an integer. */
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double measured = __VERIFIER_nondet_double();
    if (measured < -100.0 || measured > 100.0)
        return 1;
    int rounded = (int)(measured * 10.0); // VIOLATED(conversion)
    return rounded == 5;
}
