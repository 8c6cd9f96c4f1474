/* The smallest number has no positive counterpart. */
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

static int magnitude(int x)
{
    if (x == INT_MIN)
        return INT_MAX;
    return x < 0 ? -x : x; // PROVED(overflow)
}

int main(void)
{
    return magnitude(__VERIFIER_nondet_int()) == 5;
}
