// program: TERMINATES
// flags: --engine nested
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) { // TERMINATES
        x += y - 5;
        y = y > 3 ? y - 1 : y - 2;
    }
    return 0;
}
