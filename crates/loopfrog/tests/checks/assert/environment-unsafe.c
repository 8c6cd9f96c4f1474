/* The environment is memory like other: a loop that writes there changes it. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(int argc, char **argv, char **environment)
{
    if (!environment[0])
        return 0;
    char *first = environment[0];
    int count = __VERIFIER_nondet_int() & 3;
    for (int k = 0; k < count; k++)
        environment[0] = argv[0];
    assert(environment[0] == first); // MAY(assert)
    return 0;
}
