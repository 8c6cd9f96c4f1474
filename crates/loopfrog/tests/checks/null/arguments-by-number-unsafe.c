/* The first two arguments have names; there may be only one. */
#include <stdio.h>

static char *input, *output;

int main(int argc, char **argv)
{
    if (argc < 2)
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
    return input[0] + output[0]; // VIOLATED(null)
}
