// A pointer that is set in each round, and turned to another object behind its back before it is used.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4] = {0}, b[4] = {0};
    int *p = a, *q, **r = &q;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        q = p;
        *r = b;
        *q = 1;
    }
    assert(b[0] == 0); // VIOLATED(assert)
    return 0;
}
