// program: DIVERGES
// It ends if `d` is positive. The other states are reached by few inputs, behind a loop that is too long to be unwound.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), s = 0;
    __VERIFIER_assume(a > 1000 && a < 2000 && b > 0 && b < 1100 && 7 * a == 13 * b + 5);
    int d = a - b - 800;
    for (int i = 0; i < 3000; i++) // TERMINATES
        s ^= i;
    while (x > 0) // DIVERGES
        if (d > 0)
            x--;
    return s;
}
