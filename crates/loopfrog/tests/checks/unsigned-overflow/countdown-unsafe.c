/* A loop that counts down to zero. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 4;
    int steps = 0;
    while (n != 7 && steps < 6) {
        n--; // VIOLATED(unsigned-overflow)
        steps++;
    }
    return steps;
}
