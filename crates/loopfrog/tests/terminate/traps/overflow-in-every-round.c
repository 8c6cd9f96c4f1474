// program: NOT(terminates)
// Each round computes something without meaning, so no round is defined: that is no reason to say that the loop ends.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0;
    while (x > 0) { // NOT(terminates)
        y = 2147483647 + x;
        x = 5;
    }
    return y != 0;
}
