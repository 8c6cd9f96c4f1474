// program: NOT(terminates)
// flags: --engine run
#include <stdlib.h>
int main(void) {
    while (rand() % 7 != 0) // NOT(terminates)
        ;
    return 0;
}
