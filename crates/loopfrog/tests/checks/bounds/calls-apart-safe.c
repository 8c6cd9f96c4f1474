/* A large function that is called from two places: what one call leaves is what the next one finds. */
#include <stdio.h>
#include <string.h>
#define SIZE 8
static char path[SIZE] = "/";

static void append(const char *name)
{
    if (path[1] != '\0' && strlen(path) + 1 < sizeof path)
        strcat(path, "/"); // PROVED(bounds)
    if (strlen(path) + strlen(name) < sizeof path)
        strcat(path, name); // PROVED(bounds)
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
    while (fgets(line, sizeof line, stdin)) {
        char copy[SIZE];
        change(line);
        strcpy(copy, path); // PROVED(bounds)
    }
    return 0;
}
