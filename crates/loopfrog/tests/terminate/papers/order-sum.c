// flags: --engine order-sum
// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
// Table 5, domain 3: the sum of all variables decreases, though neither of them always does.
int main(void) {
    unsigned char x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    while (x > 2 && y > 2) { // TERMINATES
        if (__VERIFIER_nondet_int())
            x--;
        else
            y--;
    }
    return 0;
}
