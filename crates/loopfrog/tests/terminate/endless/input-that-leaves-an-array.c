// program: NOT(diverges)
// The only input that keeps the run in the loop is an index that leaves the array in the end.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    static int zeros[5000];
    unsigned at = 0;
    while (1) { // NOT(diverges)
        unsigned next = __VERIFIER_nondet_uint();
        if (next != at + 1 || zeros[at])
            break;
        at = next;
    }
    return 0;
}
