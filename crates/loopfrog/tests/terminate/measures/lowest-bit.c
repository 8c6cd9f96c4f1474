// program: TERMINATES
// flags: --engine lexicographic
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
int main(void) {
    unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();
    while (x != 0) // TERMINATES
        x <<= 1;
    while (y % 8) // TERMINATES
        y++;
    return 0;
}
