/* A nest of loops whose condition contradicts what is known: what is behind it is reached. */
extern int __VERIFIER_nondet_int(void);
#include <assert.h>

int main(void)
{
    int mode = __VERIFIER_nondet_int();
    if (mode != 0)
        return 0;
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    for (int i = 0; i < rows && mode == 31; i += 2) {
        for (int j = 0; j < columns; j++) {
        }
    }
    assert(mode == 31); // VIOLATED(assert)
    return 0;
}
