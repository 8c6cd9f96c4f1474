/* A jump into the body of a loop, where a variable lives to which something points: the first round has the object that the jump brings to life, the
 * others have their own. What comes behind was taken for unreachable. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

static int once(int n)
{
    int i = 1;
    if (n)
        goto middle;
    while (i < 1) {
    middle:;
        char row[2] = {0};
        char *p = row;
        *p = 1; // PROVED(bounds)
        __VERIFIER_assert(n % 2 == 1); // VIOLATED(assert)
    }
    return i;
}

static int again(int n)
{
    int seen = 0;
    char *old = 0;
    if (n > 3)
        goto middle;
    while (n < 3) {
    middle:;
        char row[2] = {1};
        if (old)
            seen += *old; // MAY(dangling)
        old = row;
        n = n > 3 ? 1 : n + 1;
    }
    __VERIFIER_assert(seen == 0); // MAY(assert)
    return seen;
}

int main(void)
{
    int n = once(__VERIFIER_nondet_int());
    __VERIFIER_assert(n == 1); // PROVED(assert)
    return again(__VERIFIER_nondet_int());
}
