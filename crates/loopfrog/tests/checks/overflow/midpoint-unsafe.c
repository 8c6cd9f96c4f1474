/* The middle of an interval, as binary searches compute it. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || low > high)
        return 1;
    int middle = (low + high) / 2; // VIOLATED(overflow)
    return middle == 3;
}
