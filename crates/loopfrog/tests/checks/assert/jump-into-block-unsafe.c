/* A jump into the body of a loop, where a variable lives to which something points: the first round has the object that the jump brings to life, the
 * others have their own. What comes behind was taken for unreachable. */
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
        assert(n % 2 == 1); // VIOLATED(assert)
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
        seen += *p; // PROVED(bounds)
        n = n > 3 ? 1 : n == 0 ? 2 : n + 1;
    }
    assert(seen <= 2); // VIOLATED(assert)
    return seen;
}

int main(void)
{
    int n = once(__VERIFIER_nondet_int());
    assert(n == 1); // PROVED(assert)
    return again(__VERIFIER_nondet_int());
}
