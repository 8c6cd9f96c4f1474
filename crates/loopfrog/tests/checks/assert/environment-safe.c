/* A loop that writes elsewhere leaves the environment as it is. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(int argc, char **argv, char **environment)
{
    char *copies[4] = { 0, 0, 0, 0 };
    if (!environment[0])
        return 0;
    char *first = environment[0];
    int count = __VERIFIER_nondet_int() & 3;
    for (int k = 0; k < count; k++)
        copies[k] = argv[0]; // PROVED(bounds)
    assert(environment[0] == first); // PROVED(assert)
    return copies[0] != 0;
}
