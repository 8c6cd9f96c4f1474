/* Three numbers are sorted by exchanges. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void order(int *a, int *b)
{
    if (*a > *b) {
        int c = *a;
        *a = *b;
        *b = c;
    }
}

int main(void)
{
    int v[3];
    for (int i = 0; i < 3; i++)
        v[i] = __VERIFIER_nondet_int();
    order(&v[0], &v[1]);
    order(&v[1], &v[2]);
    order(&v[0], &v[1]);
    if (v[0] > v[1] || v[1] > v[2])
        reach_error(); // PROVED(assert)
    return 0;
}
