// flags: --engine order-combined
// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
// Table 5, domain 5: one variable decreases while the other keeps its value.
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    while (x > 0 && y > 0) { // TERMINATES
        if (__VERIFIER_nondet_int())
            x--;
        else
            y--;
    }
    return 0;
}
