/* Two counters that a loop moves together. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int up = 0, down = n;
    while (down > 0) {
        up++;
        down -= 1;
    }
    if (n >= 0)
        assert(up == n); // PROVED(assert)
    return 0;
}
