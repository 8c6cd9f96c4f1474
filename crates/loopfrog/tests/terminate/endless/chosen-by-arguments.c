// program: DIVERGES
// The arguments lead to the loop.
#include <string.h>

int main(int argc, char **argv) {
    unsigned n = 0;
    if (argc > 2 && strcmp(argv[1], "-f") == 0)
        while (n != 1) // DIVERGES
            n += 2;
    return 0;
}
