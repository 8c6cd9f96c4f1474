// program: DIVERGES
// No call sees what another one saw, but odd numbers lead to odd numbers.
static unsigned climb(unsigned n) {
    return n == 4 ? 0 : climb(n + 2) + 1;
}
int main(void) {
    return climb(1);
}
