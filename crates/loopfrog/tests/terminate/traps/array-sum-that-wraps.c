// program: NOT(terminates)
// flags: --engine orders,lexicographic,states,cases,disjunctive
extern unsigned __VERIFIER_nondet_uint(void);
unsigned heaps[8];
int main(void) {
    for (;;) { // NOT(terminates)
        unsigned i = __VERIFIER_nondet_uint() % 8;
        if (heaps[i] == 5)
            return 0;
        heaps[i]--;
    }
}
