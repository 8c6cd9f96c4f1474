/* A function returns its buffer. */
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static char *name_of(int level)
{
    static char name[8];
    strcpy(name, level > 0 ? "high" : "low");
    return name;
}

int main(void)
{
    char *name = name_of(__VERIFIER_nondet_int());
    return name[0] == 'h'; // PROVED(dangling)
}
