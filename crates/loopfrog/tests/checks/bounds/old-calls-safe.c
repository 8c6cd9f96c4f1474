/* Functions without prototypes get what the machine passes: characters of any sign, pointers of any type, the low bits of a long. */
extern long __VERIFIER_nondet_long(void);

int length(s) char *s; { int n = 0; while (s[n]) n++; return n; }
int digit(n) int n; { return n & 7; }
int below(a, b) int *a, *b; { return *a < *b; }

int main(void)
{
    unsigned char text[5] = "abcd";
    int table[8] = {0};
    int (*order)(const void *, const void *) = (int (*)(const void *, const void *))below;
    long wide = __VERIFIER_nondet_long();
    text[length(text)] = 'x'; // PROVED(bounds)
    table[digit(wide)] = 1; // PROVED(bounds)
    table[order(table, table + 1)] = 2; // PROVED(bounds)
    return 0;
}
