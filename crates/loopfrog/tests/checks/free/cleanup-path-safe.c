/* Two ways out of a function share their cleaning. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *name = malloc(4), *value = malloc(4);
    if (!name || !value)
        return 1;
    int status = __VERIFIER_nondet_int();
    if (status < 0) {
        free(name); // PROVED(free)
        name = NULL;
    }
    free(value); // PROVED(free)
    free(name); // PROVED(free)
    return 0;
}
