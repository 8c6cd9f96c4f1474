// program: DIVERGES
// An argument is a number that the loop misses.
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    int n = atoi(argv[1]);
    while (n != 0) { // DIVERGES
        n -= 2;
        if (n < -100)
            n = 99;
    }
    return 0;
}
