// program: DIVERGES
// Few inputs lead to the loop: a solver has to find them.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    __VERIFIER_assume(a > 1000 && a < 2000 && b > 0 && b < 1000 && 7 * a == 13 * b + 5);
    while (a > b) // DIVERGES
        a = a - b + b;
    return 0;
}
