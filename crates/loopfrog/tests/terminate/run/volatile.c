// program: NOT(terminates)
// flags: --engine run
volatile unsigned long seed = 27;
int main(void) {
    unsigned long n = seed;
    while (n != 1) // NOT(terminates)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
