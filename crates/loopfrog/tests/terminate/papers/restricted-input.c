// program: DIVERGES
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
// Non-Termination Proofs from Templates, figure 4.2: the assumptions say which inputs keep the run in the loop. Here, it is entered.
int main(void) {
    int i = 1, k = __VERIFIER_nondet_int();
    if (k < 0) {
        while (i >= 0) { // DIVERGES
            i = __VERIFIER_nondet_int();
            __VERIFIER_assume(i >= 0);
        }
        i = 2;
    }
    return i;
}
