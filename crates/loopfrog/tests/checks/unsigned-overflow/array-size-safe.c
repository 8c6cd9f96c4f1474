/* The size of an array that somebody asks for. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned count = __VERIFIER_nondet_uint();
    if (count > 0xffffffffu / 12)
        return 1;
    unsigned size = count * 12; // PROVED(unsigned-overflow)
    return size == 24;
}
