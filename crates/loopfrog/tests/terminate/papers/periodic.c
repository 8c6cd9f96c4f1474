// program: DIVERGES
extern unsigned __VERIFIER_nondet_uint(void);
// The same, chapter 6: odd numbers come to 5, even ones never do.
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 2;
    while (i != 5) // DIVERGES
        i += 2;
    return 0;
}
