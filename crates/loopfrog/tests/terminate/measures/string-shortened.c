// program: TERMINATES
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static void chomp(char *s) {
    while (strlen(s) > 0 && s[strlen(s) - 1] == '\n') // TERMINATES
        s[strlen(s) - 1] = 0;
}
int main(void) {
    char line[100];
    for (int i = 0; i < 99; i++) // TERMINATES
        line[i] = __VERIFIER_nondet_int();
    line[99] = 0;
    chomp(line);
    return 0;
}
