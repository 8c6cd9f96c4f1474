// A variable of the program ends all calls.
// program: NOT(diverges)
unsigned calls;
int f(unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        calls++;
        if (calls > 70000)
            return 1;
        if (f(n + 1))
            return 1;
    }
    return 0;
}
int main(void) {
    f(4);
    return 0;
}
