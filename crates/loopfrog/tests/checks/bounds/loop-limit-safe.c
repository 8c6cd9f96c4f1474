/* What lies behind a loop that was not followed to its end is not proved. */
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char bits[32];
    unsigned i = 0, limit = __VERIFIER_nondet_uint();
    memset(bits, 0, sizeof bits); // PROVED(bounds)
    if (limit > 3)
        limit = 3;
    while (i < limit)
        i++;
    bits[i] = 1; // PROVED(bounds)
    return 0;
}
