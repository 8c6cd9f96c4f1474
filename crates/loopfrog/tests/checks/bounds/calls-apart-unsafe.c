/* A large function that is called from two places: one byte more than there is room for, if it is called often enough. */
#include <stdio.h>
#include <string.h>
#define SIZE 8
static char path[SIZE] = "/";

static void append(const char *name)
{
    if (path[1] != '\0' && strlen(path) + 1 < sizeof path)
        strcat(path, "/");
    if (strlen(path) + strlen(name) < sizeof path + 1)
        strcat(path, name); // MAY(bounds)
}

static void change(const char *wanted)
{
    char space[SIZE], *rest = space, *end;
    if (strlen(wanted) >= sizeof space)
        return;
    strcpy(space, wanted); // PROVED(bounds)
    while ((end = strchr(rest, '/'))) {
        *end = '\0';
        if (strcmp(rest, "..") == 0)
            path[1] = '\0';
        else
            append(rest);
        rest = end + 1;
    }
    append(rest);
}

int main(int argc, char **argv)
{
    char line[16];
    change(argc > 1 ? argv[1] : "/");
    if (fgets(line, sizeof line, stdin))
        change(line);
    return 0;
}
