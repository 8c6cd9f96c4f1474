// program: NOT(diverges)
// The loop outside is never left by its own condition, but the loop inside returns one day.
int main(void) {
    unsigned x = 7;
    unsigned long long s = 0;
    while (x % 2) {
        unsigned i = 0;
        while (i < x) {
            i++;
            s++;
            if (s == 10000000000ull)
                return 0;
        }
        x += 2;
    }
    return 0;
}
