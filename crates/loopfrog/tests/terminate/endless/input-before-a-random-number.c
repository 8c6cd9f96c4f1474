// The library chooses later: nobody knows what the input has to be.
// program: NOT(diverges)
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned n = 0;
    int a = 0;
    for (;;) { // NOT(diverges)
        n++;
        int b = __VERIFIER_nondet_int();
        a = rand();
        if (a != b)
            return 0;
    }
}
