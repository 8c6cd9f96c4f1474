// program: DIVERGES
// Two functions call each other with growing numbers, and miss their ends.
static unsigned after_even(unsigned n);
static unsigned after_odd(unsigned n) {
    if (n == 4)
        return 0;
    return after_even(n + 1) + 1;
}
static unsigned after_even(unsigned n) {
    if (n == 3)
        return 0;
    return after_odd(n + 1);
}
int main(void) {
    return after_odd(1);
}
