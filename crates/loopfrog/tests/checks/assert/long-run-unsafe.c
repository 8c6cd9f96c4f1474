/* A run that goes round a loop five thousand times is not unwound: guessed inputs find it. */
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
    assert(i <= 2500); // VIOLATED(assert)
    return 0;
}
