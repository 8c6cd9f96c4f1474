/* A setting is either the default or from the heap. */
#include <stdlib.h>
#include <string.h>
extern _Bool __VERIFIER_nondet_bool(void);

static char fallback[] = "none";

int main(void)
{
    char *setting = fallback;
    if (__VERIFIER_nondet_bool()) {
        setting = malloc(8);
        if (!setting)
            return 1;
        strcpy(setting, "green");
    }
    free(setting); // VIOLATED(free)
    return 0;
}
