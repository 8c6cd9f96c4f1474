/* What comes before an access that may not be valid does not rely on it, though both call the same functions of the library. */
#include <string.h>
#include <unistd.h>

static const char *last = "";
static unsigned long length;

static void parse(int argc, char *argv[])
{
    getopt(argc, argv, "ab:");
    for (int i = 1; i < argc; i++) {
        length = strlen(argv[i]); // PROVED(bounds)
        if (i == optind)
            last = argv[i];
    }
}

int main(int argc, char *argv[])
{
    parse(argc, argv);
    return (int)strlen(last + 1); // MAY(bounds)
}
