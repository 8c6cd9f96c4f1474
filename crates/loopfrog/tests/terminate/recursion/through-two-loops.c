// Two functions, each with a loop that calls the other.
// program: DIVERGES
unsigned calls;
void g(unsigned n);
void f(unsigned n) {
    while (n) {
        calls++;
        g(n);
        n = n / 2;
    }
}
void g(unsigned n) {
    while (n > 1) {
        f(n + 2 > n ? n + 2 : n);
        n--;
    }
}
int main(void) {
    f(6);
    return 0;
}
