// The loop would end if its calls came back; the first does not.
// program: DIVERGES
unsigned calls;
void f(unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        calls++;
        f(n == 4294967295u ? 1 : n + 1);
    }
}
int main(void) {
    f(5);
    return 0;
}
