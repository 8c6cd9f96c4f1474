// flags: --property leak
/* A program that gives up ends, too. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void)
{
    int *number = malloc(sizeof *number);
    *number = __VERIFIER_nondet_int();
    if (*number == 1)
        abort(); // MAY(leak)
    if (*number == 2)
        __VERIFIER_error(); // MAY(leak)
    free(number);
    return 0;
}
