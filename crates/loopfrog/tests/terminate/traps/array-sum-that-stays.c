// program: NOT(terminates)
// flags: --engine orders,lexicographic,states,cases,disjunctive
extern unsigned __VERIFIER_nondet_uint(void);
unsigned heaps[8];
int main(void) {
    for (int i = 0; i < 8; i++)
        heaps[i] = __VERIFIER_nondet_uint();
    for (;;) { // NOT(terminates)
        unsigned i = __VERIFIER_nondet_uint() % 8, j = __VERIFIER_nondet_uint() % 8;
        if (heaps[i] == 0)
            return 0;
        heaps[i]--;
        heaps[j]++;
    }
}
