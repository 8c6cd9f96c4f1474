// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
#define TEN(x) x x x x x x x x x x
unsigned table[16];
unsigned large(unsigned n) {
    for (unsigned i = 0; i < n; i++) { // TERMINATES
        TEN(TEN(TEN(table[n % 16] += i;)))
    }
    for (int i = 0; i < 100; i++) { // TERMINATES
        TEN(TEN(if (table[i % 16] % 3 == 0) table[(i + 1) % 16]++;))
    }
    return table[n % 16];
}
int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    n = large(n);
    n += large(n);
    n += large(n + 1);
    return n + large(n + 2);
}
