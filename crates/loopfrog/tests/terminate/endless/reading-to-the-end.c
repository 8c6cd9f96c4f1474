// program: NOT(diverges)
// The standard input has an end.
#include <stdio.h>

int main(void) {
    unsigned lines = 0;
    int c;
    while ((c = getchar()) != EOF) // NOT(diverges)
        lines += c == '\n';
    printf("%u\n", lines);
    return 0;
}
