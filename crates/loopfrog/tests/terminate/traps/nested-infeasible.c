// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
// The inner loop does nothing to the outer counter.
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) // TERMINATES
        for (int j = i; j < n; j++) // TERMINATES
            ;
    return 0;
}
