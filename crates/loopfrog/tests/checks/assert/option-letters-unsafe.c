/* Flags of a command line, letter by letter. */
#include <assert.h>

int main(int argc, char **argv)
{
    int verbose = 0, quiet = 0;
    if (argc < 2 || argv[1][0] != '-')
        return 1;
    for (int i = 1; i < 3 && argv[1][i]; i++) {
        if (argv[1][i] == 'v') {
            verbose = 1;
        } else if (argv[1][i] == 'q') {
            quiet = 1;
        }
    }
    assert(!(verbose && quiet)); // VIOLATED(assert)
    return 0;
}
