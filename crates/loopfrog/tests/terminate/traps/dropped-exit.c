// program: DIVERGES
// The only way out is behind a condition that never holds.
int main(void) {
    unsigned n = 0;
    for (;;) { // DIVERGES
        n = (n + 2) % 10;
        if (n == 7)
            return 0;
    }
}
