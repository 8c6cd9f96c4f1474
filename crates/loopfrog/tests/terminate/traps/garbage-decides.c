// program: NOT(diverges)
// Whether it ends depends on a variable that has no value: C does not say what happens.
extern void __VERIFIER_assume(int);

int main(void) {
    int x = 0, y;
    __VERIFIER_assume(10 <= y && y <= 20);
    while (x != 15) {
        if (x > 0)
            x = y;
        if (x == 0)
            x = 5;
    }
    return 0;
}
