// program: DIVERGES
// What is read leads to the loop.
#include <stdio.h>

int main(void) {
    unsigned n = 0;
    if (getchar() == 'x' && getchar() == 'y')
        while (n != 1) // DIVERGES
            n += 2;
    return 0;
}
