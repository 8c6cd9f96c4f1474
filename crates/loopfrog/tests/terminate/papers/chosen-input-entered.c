// program: DIVERGES
extern int __VERIFIER_nondet_int(void);
// The same, entered.
int main(void) {
    int i = 1;
    while (i >= 0) // DIVERGES
        i = __VERIFIER_nondet_int();
    return i;
}
