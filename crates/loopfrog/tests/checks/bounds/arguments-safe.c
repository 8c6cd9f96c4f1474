/* However many arguments there are, all of them are strings, and a null pointer follows. */
#include <string.h>

int main(int argc, char **argv)
{
    int letters = 0;
    for (int k = 1; k < argc; k++) {
        letters += strlen(argv[k]) != 0; // PROVED(bounds) PROVED(null)
        if (argv[k][0] == '-') // PROVED(bounds) PROVED(null)
            letters += argv[k][1] == 'v'; // PROVED(bounds) PROVED(null)
    }
    if (argv[argc]) // PROVED(bounds) PROVED(null)
        return *argv[argc]; // PROVED(null)
    return letters != 0;
}
