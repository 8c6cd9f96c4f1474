/* The smallest number has no positive counterpart. */
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

static int magnitude(int x)
{
    return x < 0 ? -x : x; // VIOLATED(overflow)
}

int main(void)
{
    return magnitude(__VERIFIER_nondet_int()) == 5;
}
