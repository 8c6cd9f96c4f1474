// program: DIVERGES
// An input decides whether there is another call.
extern unsigned __VERIFIER_nondet_uint(void);
static void ask(unsigned n) {
    if (__VERIFIER_nondet_uint() == n)
        ask(n * 2 + 1);
}
int main(void) {
    ask(1);
    return 0;
}
