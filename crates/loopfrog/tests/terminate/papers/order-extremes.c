// flags: --engine order-extremes
// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
// Table 5, domain 4: the greater of both decreases, whichever it is, and the other follows.
int main(void) {
    unsigned char x = __VERIFIER_nondet_uint(), y = x;
    while (x > 0) { // TERMINATES
        x--;
        y = x;
    }
    return 0;
}
