// program: NOT(terminates) NOT(diverges)
// flags: --engine run
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    while (n > 1) // NOT(terminates) NOT(diverges)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
