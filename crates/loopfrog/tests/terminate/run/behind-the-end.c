// program: NOT(terminates)
// flags: --engine run
// Whether one object lies behind another is left open.
int main(void) {
    int a[4], b[4];
    unsigned long n = a + 4 == b ? 0 : 27;
    while (n != 1) // NOT(terminates)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
