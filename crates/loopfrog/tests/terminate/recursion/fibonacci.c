// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
int main(void) {
    return fibonacci(__VERIFIER_nondet_uint() % 20) & 1;
}
