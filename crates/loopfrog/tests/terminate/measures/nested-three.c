// program: TERMINATES
// flags: --engine nested
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    while (x > z) { // TERMINATES
        x += y;
        y += z;
        z -= 1;
    }
    return 0;
}
