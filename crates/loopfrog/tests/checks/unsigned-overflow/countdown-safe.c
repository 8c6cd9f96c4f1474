/* A loop that counts down to zero. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 4;
    int steps = 0;
    while (n > 0) {
        n--; // PROVED(unsigned-overflow)
        steps++;
    }
    return steps;
}
