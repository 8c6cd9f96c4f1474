/* The same where all is well. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

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
        assert(n != 0); // PROVED(assert)
    }
    return i;
}

static int again(int n)
{
    int seen = 0;
    if (n > 3)
        goto middle;
    while (n < 3) {
    middle:;
        char row[2] = {1};
        char *p = row;
        seen |= *p; // PROVED(bounds)
        n = n > 3 ? 1 : n + 1;
    }
    assert(seen == 0 || seen == 1); // PROVED(assert)
    return seen;
}

int main(void)
{
    int n = once(__VERIFIER_nondet_int());
    assert(n == 1); // PROVED(assert)
    return again(__VERIFIER_nondet_int());
}
