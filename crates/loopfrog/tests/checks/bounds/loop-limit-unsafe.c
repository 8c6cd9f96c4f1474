/* What lies behind a loop that was not followed to its end is not proved. */
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char bits[32];
    unsigned i = 0, limit = __VERIFIER_nondet_uint();
    memset(bits, 0, sizeof bits); // PROVED(bounds)
    while (i < limit)
        i++;
    bits[i] = 1; // MAY(bounds)
    return 0;
}
