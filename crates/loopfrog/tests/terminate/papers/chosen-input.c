// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
// The same, figure 4.1: the loop is never entered.
int main(void) {
    int i = 0, k = __VERIFIER_nondet_int();
    if (k < 0) {
        i = -1;
        while (i >= 0) // TERMINATES
            i = __VERIFIER_nondet_int();
        i = 2;
    }
    return i;
}
