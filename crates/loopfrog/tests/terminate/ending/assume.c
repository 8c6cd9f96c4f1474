// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
// What is assumed holds: paths on which it does not are none.
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0);
    while (n != 0) // TERMINATES
        n--;
    return 0;
}
