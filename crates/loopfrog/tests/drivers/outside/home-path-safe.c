/* The home directory of a user and a name, as a path. */
#include <pwd.h>
#include <string.h>
#include <unistd.h>

static char path[256];

static int make_path(const char *directory, const char *name)
{
    if (strlen(directory) + 1 + strlen(name) >= sizeof path)
        return -1;
    strcpy(path, directory);
    if (path[0] == 0 || path[strlen(path) - 1] != '/')
        strcat(path, "/");
    strcat(path, name);
    return 0;
}

int main(int argc, char **argv)
{
    struct passwd *user = getpwuid(getuid());
    if (!user || argc < 2)
        return 1;
    return make_path(user->pw_dir, argv[1]);
}
