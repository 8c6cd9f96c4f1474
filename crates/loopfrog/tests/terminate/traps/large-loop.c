// program: NOT(terminates)
// Most of a large loop does not matter; what does must not be left out.
extern int __VERIFIER_nondet_int(void);
#define TEN(x) x x x x x x x x x x
unsigned table[16];
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) { // NOT(terminates)
        TEN(TEN(TEN(if (table[i % 16u] % 3 == 0) table[(i + 1) % 16u] += n;)))
        if (table[3] % 1000 == 17)
            i--;
    }
    return 0;
}
