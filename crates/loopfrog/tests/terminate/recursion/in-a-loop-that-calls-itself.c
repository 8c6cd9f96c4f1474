// The loop goes on only if its calls return, and they end the program.
// program: NOT(diverges)
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned calls;
unsigned f(unsigned n) {
    if (n > 50)
        exit(0);
    while (n < 100) {
        calls++;
        f(n + 1);
    }
    return n;
}
int main(void) {
    f(__VERIFIER_nondet_uint());
    return 0;
}
