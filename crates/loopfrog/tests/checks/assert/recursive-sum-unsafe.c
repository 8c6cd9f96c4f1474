/* A function that calls itself. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int steps(int n)
{
    if (n <= 0)
        return 0;
    return steps(n - 1) + 1;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 40)
        return 1;
    assert(steps(n) < n); // VIOLATED(assert)
    return 0;
}
