// program: NOT(terminates) NOT(diverges)
// flags: --engine run
int main(int argc, char **argv) {
    unsigned long n = argc;
    while (n > 1) // NOT(terminates) NOT(diverges)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
