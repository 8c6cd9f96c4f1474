// program: NOT(diverges)
#include <stdlib.h>
unsigned calls;
void f(unsigned n) {
    for (;;) {
        if (calls++ == 100000)
            exit(1);
        f(n + 1);
    }
}
int main(void) {
    f(4);
    return 0;
}
