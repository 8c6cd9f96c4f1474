// The loop makes its call only in its second round, and has ended by then in the calls inside.
// program: TERMINATES
unsigned calls;
void f(unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        calls++;
        if (i == 1)
            f(n - 1);
    }
}
int main(void) {
    f(6);
    return 0;
}
