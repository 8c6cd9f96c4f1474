// flags: --property leak
/* The same with nothing left, or never. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void)
{
    int number = __VERIFIER_nondet_int(), *copy;
    if (number == 1)
        abort(); // PROVED(leak)
    copy = malloc(sizeof *copy);
    *copy = number;
    if (*copy == 1)
        __VERIFIER_error(); // PROVED(leak)
    free(copy);
    return 0;
}
