// What is added becomes negative, but then it wraps. x is 0 only by chance.
// program: NOT(terminates)
// flags: --engine nested
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), z = __VERIFIER_nondet_uint();
    while (x > 0) { // NOT(terminates)
        x += y;
        y += z;
        z -= 1;
    }
    return 0;
}
