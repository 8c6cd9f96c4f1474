/* A buffer on the heap whose size is an input. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 1;
    int *values = malloc(n * sizeof *values);
    if (!values)
        return 1;
    for (int i = 0; i <= n; i++)
        values[i] = i; // VIOLATED(bounds)
    free(values);
    return 0;
}
