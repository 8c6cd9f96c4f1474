// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
unsigned heaps[8];
int main(void) {
    for (int i = 0; i < 8; i++) // TERMINATES
        heaps[i] = __VERIFIER_nondet_uint();
    for (;;) { // TERMINATES
        unsigned i = __VERIFIER_nondet_uint() % 8;
        if (heaps[i] == 0)
            return 0;
        heaps[i] -= heaps[i] % 3 ? heaps[i] % 3 : 1;
    }
}
