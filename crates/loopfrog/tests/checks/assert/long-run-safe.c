/* No run goes further than the array. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    static int data[5000];
    int i;
    for (i = 0; i < 5000; i++)
        data[i] = __VERIFIER_nondet_int();
    for (i = 0; i < 5000 && data[i] != 0; i++)
        ;
    assert(i <= 5000); // PROVED(assert)
    return 0;
}
