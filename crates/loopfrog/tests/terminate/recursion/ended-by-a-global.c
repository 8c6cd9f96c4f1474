// program: NOT(diverges)
// After many calls the program ends.
#include <stdlib.h>
static unsigned left = 300000;
static void again(unsigned n) {
    if (left == 0)
        exit(0);
    left--;
    again(n + 2);
}
int main(void) {
    again(1);
    return 0;
}
