// program: NOT(diverges)
// The argument leaves its range in the end.
static void up(int n) {
    if (n == 0)
        return;
    up(n + 1);
}
int main(void) {
    up(1);
    return 0;
}
