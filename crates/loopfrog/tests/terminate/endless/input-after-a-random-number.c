// The library chooses first.
// program: DIVERGES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned n = 0;
    for (;;) { // DIVERGES
        n++;
        int a = rand();
        int b = __VERIFIER_nondet_int();
        if (a != b)
            return 0;
    }
}
