/* Pointers that get each other's objects in a loop. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char small[4] = "abc", large[16] = "abcdefghijklmno";
    char *p = large, *q = small, *r = large;
    int n = __VERIFIER_nondet_int() & 127;
    for (int i = 0; i < n; i++) {
        char *t = p;
        p = q;
        q = t;
        if (__VERIFIER_nondet_int())
            r = q + 1;
    }
    r[9] = 'y'; // VIOLATED(bounds)
    return p[9]; // VIOLATED(bounds)
}
