/* All elements of an array are set before they are looked at. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int values[64];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 64)
        return 1;
    for (int i = 0; i < n; i++)
        values[i] = 7;
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k < n)
        assert(values[k] == 7); // PROVED(assert)
    return 0;
}
