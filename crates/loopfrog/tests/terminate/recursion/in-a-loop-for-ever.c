// A call inside of a loop of its own function, with a number that wraps.
// program: DIVERGES
unsigned calls;
void f(unsigned n) {
    for (;;) {
        calls++;
        f(n + 1);
    }
}
int main(void) {
    f(0);
    return 0;
}
