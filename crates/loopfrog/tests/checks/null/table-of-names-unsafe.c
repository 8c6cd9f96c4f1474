/* A table of records in static memory: its values are used as if they were never null. */
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct option {
    const char *name;
    const char *value;
    int count;
};

static struct option options[] = {
    {"colour", NULL, 0}, {"depth", NULL, 0}, {"format", "short", 0}, {"limit", NULL, 0}, {NULL, NULL, 0},
};

static int set(const char *name, const char *value)
{
    struct option *option;
    for (option = options; option->name; option++) // PROVED(null)
        if (strcmp(option->name, name) == 0) { // PROVED(null)
            option->value = value; // PROVED(null)
            option->count++;
            return 1;
        }
    return 0;
}

int main(int argc, char **argv)
{
    int set_options = 0;
    for (int i = 1; i + 1 < argc; i += 2)
        set_options += set(argv[i], argv[i + 1]); // PROVED(null)
    for (int i = 0; i < 4; i++)
        putchar(options[i].value[0]); // VIOLATED(null)
    return set_options;
}
