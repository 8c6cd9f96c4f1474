// program: NOT(terminates)
// Doubling leaves the range of the type, which is undefined and no end.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x > 0) // NOT(terminates)
        x += x;
    return 0;
}
