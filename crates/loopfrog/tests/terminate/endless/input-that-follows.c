// program: DIVERGES
// Only one input keeps the run in the loop, and it is another one in each round.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = 5;
    while (1) { // DIVERGES
        unsigned y = __VERIFIER_nondet_uint();
        if (y != x)
            break;
        x = x * 3 + 1;
    }
    return 0;
}
