// program: TERMINATES
// flags: --engine nested
extern int __VERIFIER_nondet_int(void);
static int down(int x, int y) {
    return x > 0 ? down(x + 2 * y, y - 3) : x; // TERMINATES
}
int main(void) {
    return down(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
}
