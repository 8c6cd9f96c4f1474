// program: NOT(terminates)
// flags: --engine run
// Equal literals may be one object.
int main(void) {
    const char *p = "frog", *q = "frog";
    unsigned long n = p == q ? 0 : 27;
    while (n != 1) // NOT(terminates)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
