// program: TERMINATES
// flags: --engine nested
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int w = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    while (x > 0) { // TERMINATES
        x += y;
        y += z;
        z += w;
        w -= 1;
    }
    return 0;
}
