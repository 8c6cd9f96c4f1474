// program: DIVERGES
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned get(unsigned wanted) {
    unsigned given = __VERIFIER_nondet_uint();
    if (given != wanted)
        exit(0);
    return given;
}
int main(void) {
    unsigned x = 1, n = 0;
    for (;;) { // DIVERGES
        n++;
        x = get(x * x + n);
    }
    return 0;
}
