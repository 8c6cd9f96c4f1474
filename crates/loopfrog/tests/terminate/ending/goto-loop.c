// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
again:
    if (n > 3) {
        n /= 2;
        goto again;
    }
    return 0;
}
