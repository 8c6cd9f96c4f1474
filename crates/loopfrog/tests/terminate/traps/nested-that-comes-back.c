// What is added becomes negative, but is given a new value sometimes.
// program: NOT(terminates)
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) { // NOT(terminates)
        x += y;
        y -= 1;
        if (y < -10)
            y = 10;
        if (x > 1000)
            x = 1000;
    }
    return 0;
}
