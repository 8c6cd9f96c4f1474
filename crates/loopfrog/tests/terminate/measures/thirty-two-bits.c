// flags: --32
// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_uint();
    while (n > 1) // TERMINATES
        n -= 2;
    return 0;
}
