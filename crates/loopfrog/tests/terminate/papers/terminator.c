// flags: --engine terminator
// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
// TERMINATOR: what is not covered gets a measure of its own.
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    while (x > 0 && y > 0) { // TERMINATES
        if (__VERIFIER_nondet_int()) {
            x--;
            y = __VERIFIER_nondet_uint();
        } else
            y--;
    }
    return 0;
}
