// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
static int factorial(int n) {
    return n <= 1 ? 1 : n % 7 * (factorial(n - 1) % 7);
}
int main(void) {
    return factorial(__VERIFIER_nondet_int());
}
