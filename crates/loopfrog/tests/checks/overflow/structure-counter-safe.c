/* A counter in a heap structure is moved by steps from outside. */
#include <stdlib.h>
extern signed char __VERIFIER_nondet_schar(void);

struct counter {
    int value;
    int (*step)(int);
};

static int bounded(int value) { return value < 1000 ? value + 1 : value; } // PROVED(overflow)

int main(void)
{
    struct counter *counter = malloc(sizeof *counter);
    if (!counter)
        return 1;
    counter->value = 2147483646 - __VERIFIER_nondet_schar() % 2; // PROVED(overflow)
    counter->step = bounded;
    for (int i = 0; i < 3; i++)
        counter->value = counter->step(counter->value);
    free(counter);
    return 0;
}
