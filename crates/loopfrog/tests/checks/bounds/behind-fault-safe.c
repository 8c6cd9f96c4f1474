/* What holds behind an access only if the access is valid is proved where it is. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int place = __VERIFIER_nondet_int(), rounds = __VERIFIER_nondet_int() & 3;
    int table[4] = { 0, 0, 0, 0 };
    for (int k = 0; k < rounds; k++)
        table[k] = 1; // PROVED(bounds)
    if (place < 0 || place >= 4)
        return 1;
    table[place] = 7; // PROVED(bounds)
    assert(place >= 0 && place < 4); // PROVED(assert)
    return 0;
}
