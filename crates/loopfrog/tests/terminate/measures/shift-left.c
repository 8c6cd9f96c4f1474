// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n) // TERMINATES
        n <<= 1;
    return 0;
}
