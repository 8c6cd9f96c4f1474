// program: DIVERGES
// Two inputs of a round have to agree with each other and with what is computed from them.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned at = 1;
    for (;;) { // DIVERGES
        unsigned next = __VERIFIER_nondet_uint(), back = __VERIFIER_nondet_uint();
        if (next != at + 1 || back != at)
            return 0;
        at = next;
    }
}
