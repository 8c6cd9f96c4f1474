// program: NOT(terminates)
// flags: --engine run
#include <time.h>
int main(void) {
    unsigned long n = time(0);
    while (n > 1) // NOT(terminates)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
