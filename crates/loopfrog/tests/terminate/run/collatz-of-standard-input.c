// program: NOT(terminates) NOT(diverges)
// flags: --engine run
#include <stdio.h>
int main(void) {
    unsigned long n = getchar() + 2;
    while (n > 1) // NOT(terminates) NOT(diverges)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
