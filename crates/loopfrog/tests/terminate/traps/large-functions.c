// program: NOT(terminates)
// A large function that is called from many places is looked at once; it may call itself, directly or through another one, all the same.
extern int __VERIFIER_nondet_int(void);
#define TEN(x) x x x x x x x x x x
unsigned table[16];
unsigned other(unsigned n);
unsigned large(unsigned n) {
    TEN(TEN(TEN(table[n % 16] += n; n = n * 3 + 1;)))
    if (table[0] % 7 == 3)
        return n;
    return other(n);
}
unsigned other(unsigned n) {
    TEN(TEN(table[n % 16] ^= n; n = n * 5 + 1;))
    return large(n);
}
int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    n = large(n);
    n += other(n);
    n += large(n + 1);
    return n + other(n + 2);
}
