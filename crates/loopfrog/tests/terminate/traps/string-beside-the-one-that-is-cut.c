// program: NOT(terminates)
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char line[100], other[100];
    for (int i = 0; i < 99; i++)
        line[i] = other[i] = __VERIFIER_nondet_int();
    line[99] = other[99] = 0;
    char *cut = __VERIFIER_nondet_int() ? line : other;
    while (strlen(line) > 0) // NOT(terminates)
        if (strlen(cut) > 0)
            cut[strlen(cut) - 1] = 0;
    return 0;
}
