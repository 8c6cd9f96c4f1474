/* Pointers that get each other's places inside of one row. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char row[16] = "abcdefghijklmno";
    char *begin = row, *p = row, *q = row;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (p - begin > 8)
            p = begin;
        q = p + 1;
        *q = 'x'; // PROVED(bounds)
        p = q;
    }
    return *p + *q; // PROVED(bounds)
}
