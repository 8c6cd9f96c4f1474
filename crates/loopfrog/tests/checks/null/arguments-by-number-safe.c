/* The first two arguments have names, and there are two at least. */
#include <stdio.h>

static char *input, *output;

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    for (int i = 1; i < argc; i++) {
        switch (i - 1) {
        case 0:
            input = argv[i];
            break;
        case 1:
            output = argv[i];
            break;
        default:
            break;
        }
    }
    return input[0] + output[0]; // PROVED(null)
}
