/* Flags of a command line. */
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    int verbose = 0, quiet = 0;
    for (int i = 1; i < argc && i < 3; i++) {
        if (strcmp(argv[i], "-v") == 0) {
            verbose = 1;
        } else if (strcmp(argv[i], "-q") == 0) {
            quiet = 1;
        }
    }
    assert(!(verbose && quiet)); // TODO-VIOLATED(assert)
    return 0;
}
