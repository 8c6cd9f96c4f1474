/* Functions without prototypes get what the machine passes: characters of any sign, pointers of any type, the low bits of a long. */
extern long __VERIFIER_nondet_long(void);

int length(s) char *s; { int n = 0; while (s[n]) n++; return n; }
int small(n) int n; { return n == 9; }
int below(a, b) int *a, *b; { return *a < *b; }

int main(void)
{
    unsigned char text[5] = "abcd";
    int table[8] = {0};
    int (*order)(const void *, const void *) = (int (*)(const void *, const void *))below;
    long wide = __VERIFIER_nondet_long();
    switch (__VERIFIER_nondet_long()) {
    case 1:
        text[length(text) + 1] = 'x'; // VIOLATED(bounds)
        break;
    case 2:
        if (small(wide) && wide != 9)
            table[wide & 15] = 1; // VIOLATED(bounds)
        break;
    default:
        table[order(table, table + 1) + 8] = 2; // VIOLATED(bounds)
    }
    return 0;
}
