/* What an option says is kept, and is missing or a string. */
#include <getopt.h>
#include <string.h>

static const struct option all[] = {{"name", required_argument, 0, 'n'}, {"verbose", no_argument, 0, 'v'}, {0, 0, 0, 0}};

int main(int argc, char **argv)
{
    char *name = 0;
    int option, level[2] = {0, 0}, which = 0;
    while ((option = getopt_long(argc, argv, "v", all, &which)) != -1) {
        if (option == 'v')
            level[1]++;
        else if (which >= 0 && which < 2)
            level[which]++; // PROVED(bounds)
    }
    for (option = 1; option < argc; option++)
        if (argv[option][0] == '+')
            name = argv[option];
    return name && strlen(name) > 3; // PROVED(bounds) PROVED(null)
}
