// All three decrease for ever, or until that is undefined: nothing ends the loop.
// program: NOT(terminates)
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    while (x != 0) { // NOT(terminates)
        x += y;
        y += z;
        z -= 1;
    }
    return 0;
}
