// program: NOT(terminates)
// flags: --engine states,cases,disjunctive
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int state = 1;
    while (1) { // NOT(terminates)
        switch (state) {
        case 1: state = 2; break;
        case 2: state = 3; break;
        case 3: state = __VERIFIER_nondet_int() ? 4 : 2; break;
        case 4: state = 5; break;
        default: return 0;
        }
    }
}
