// program: DIVERGES
// Nobody asks whether the input is over.
#include <stdio.h>

int main(void) {
    while (getchar() != 'q') // DIVERGES
        ;
    return 0;
}
