// program: DIVERGES
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
int main(void) {
    int n = __VERIFIER_nondet_int();
    while (1) // DIVERGES
        if (n)
            exit(0);
}
