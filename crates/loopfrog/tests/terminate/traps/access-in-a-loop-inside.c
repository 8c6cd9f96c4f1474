// program: NOT(diverges)
// Nothing leaves the loops, but in the end an access of the loop inside is invalid.
int a[1000];

int main(void) {
    unsigned x = 7, n = 0;
    while (x % 2) {
        for (unsigned i = 0; i < n; i++)
            a[i]++;
        n++;
        x += 2;
    }
    return 0;
}
