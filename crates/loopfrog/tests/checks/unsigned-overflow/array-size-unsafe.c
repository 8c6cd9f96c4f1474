/* The size of an array that somebody asks for. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned count = __VERIFIER_nondet_uint();
    unsigned size = count * 12; // VIOLATED(unsigned-overflow)
    return size == 24;
}
