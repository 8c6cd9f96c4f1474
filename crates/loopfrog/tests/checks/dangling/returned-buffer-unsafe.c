/* A function returns its buffer. */
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static char *name_of(int level)
{
    char name[8];
    char *result = name;
    strcpy(name, level > 0 ? "high" : "low");
    return result;
}

int main(void)
{
    char *name = name_of(__VERIFIER_nondet_int());
    return name[0] == 'h'; // VIOLATED(dangling)
}
