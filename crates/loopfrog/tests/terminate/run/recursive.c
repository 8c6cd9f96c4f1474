// program: TERMINATES
unsigned hailstones(unsigned long n) {
    return n == 1 ? 0 : 1 + hailstones(n % 2 ? 3 * n + 1 : n / 2);
}
int main(void) { return hailstones(97); }
