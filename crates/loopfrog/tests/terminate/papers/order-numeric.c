// flags: --engine order-numeric
// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
// Table 5, domain 1: a numeric variable decreases.
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), s = 0;
    while (n) { // TERMINATES
        s += n;
        n--;
    }
    return s & 1;
}
