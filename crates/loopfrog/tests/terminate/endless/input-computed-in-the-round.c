// What the input has to be is computed in the round, and is no sum of what is known where it begins.
// program: DIVERGES
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = 1;
    for (;;) { // DIVERGES
        unsigned y = x * x + 7;
        unsigned z = __VERIFIER_nondet_uint();
        if (z != y)
            break;
        x = x + 1;
    }
    return 0;
}
