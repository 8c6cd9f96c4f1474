// program: DIVERGES
extern int __VERIFIER_nondet_int(void);
// The same, section 4.2: two rounds lead back to where they began.
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x == y) { // DIVERGES
        x = !x;
        y = !y;
    }
    return 0;
}
