// program: NOT(terminates)
// flags: --engine orders,lexicographic,states,cases,disjunctive
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int left[4] = {0};
    int i = __VERIFIER_nondet_int();
    while (i >= 0 && i < 4 && left[i] != 3) { // NOT(terminates)
        left[i]--;
        i = __VERIFIER_nondet_int();
    }
    return 0;
}
