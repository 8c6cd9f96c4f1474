// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (;;) { // TERMINATES
        if (n == 0)
            break;
        if (__VERIFIER_nondet_int())
            return 1;
        n--;
    }
    return 0;
}
