// program: NOT(diverges)
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
// No path goes on.
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n > 5) { // NOT(diverges)
        __VERIFIER_assume(n < 100);
        n--;
    }
    return 0;
}
