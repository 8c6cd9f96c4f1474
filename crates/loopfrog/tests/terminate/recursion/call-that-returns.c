// program: NOT(diverges)
// The call that leaves the odd numbers returns, and what comes then is undefined.
static unsigned zero;
static void down(unsigned n) {
    if (n % 2 == 0)
        return;
    if (n == 1000001)
        down(2);
    else
        down(n + 2);
    zero = 1 / zero;
    while (zero)
        zero--;
}
int main(void) {
    down(1);
    return 0;
}
