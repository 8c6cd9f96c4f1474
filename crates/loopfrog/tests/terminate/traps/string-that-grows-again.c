// program: NOT(terminates)
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char line[100];
    for (int i = 0; i < 50; i++)
        line[i] = __VERIFIER_nondet_int();
    line[50] = 0;
    while (strlen(line) > 0) { // NOT(terminates)
        line[strlen(line) - 1] = 0;
        if (__VERIFIER_nondet_int() && strlen(line) < 50)
            strcat(line, "a");
    }
    return 0;
}
