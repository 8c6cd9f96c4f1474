// The number would have to leave its range.
// program: NOT(diverges)
void f(int n) {
    for (;;)
        f(n + 1);
}
int main(void) {
    f(0);
    return 0;
}
