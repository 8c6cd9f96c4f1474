// program: NOT(terminates)
// flags: --engine run
// Where objects lie is nobody's business; here it says whether the loop ends.
int a[2], b[2];
int main(void) {
    unsigned long n = a < b ? 27 : 0;
    while (n != 1) // NOT(terminates)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
