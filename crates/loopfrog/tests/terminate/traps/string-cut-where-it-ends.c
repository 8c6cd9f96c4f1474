// program: NOT(terminates)
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char line[100];
    for (int i = 0; i < 99; i++)
        line[i] = __VERIFIER_nondet_int();
    line[99] = 0;
    while (strlen(line) > 0) // NOT(terminates)
        line[strlen(line)] = 0;
    return 0;
}
