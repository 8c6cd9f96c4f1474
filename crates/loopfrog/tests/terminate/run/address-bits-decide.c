// program: NOT(terminates)
// flags: --engine run
#include <string.h>
int a;
int main(void) {
    int *p = &a;
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    unsigned long n = bytes[1] & 16;
    while (n != 1) // NOT(terminates)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return 0;
}
