// program: NOT(terminates)
// flags: --engine run
int a;
int main(void) {
    unsigned long n = ((unsigned long)&a >> 12) % 100;
    while (n != 1) // NOT(terminates)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
