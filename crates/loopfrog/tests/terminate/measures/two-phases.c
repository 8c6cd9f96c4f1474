// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
// x grows until y is negative, and shrinks from then on.
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x > 1000 || y > 1000 || y < -1000)
        return 0;
    while (x > 0) { // TERMINATES
        if (y > 0)
            y--;
        else
            x--;
    }
    return 0;
}
