// The recursion ends; what goes on for ever is the loop after it.
// program: DIVERGES
extern unsigned __VERIFIER_nondet_uint(void);
unsigned calls;
unsigned depth(unsigned n) {
    calls++;
    return n == 0 ? 1 : 1 + depth(n - 1);
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 20)
        return 0;
    unsigned y = depth(n);
    while (y >= 1) { // DIVERGES
        calls++;
        if (calls == 0)
            y = 1;
    }
    return 0;
}
