// Sooner or later, an access is invalid.
// program: NOT(diverges)
int a[1000];
void f(unsigned n) {
    for (unsigned i = 0;; i++) {
        a[n] = i;
        f(n + 1);
    }
}
int main(void) {
    f(0);
    return 0;
}
