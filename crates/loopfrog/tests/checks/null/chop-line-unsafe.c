/* A separator that is looked for may be missing. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8];
    for (int i = 0; i < 7; i++) {
        int c = getchar();
        line[i] = c == EOF ? 0 : (char)c;
    }
    line[7] = 0;
    char *separator = strchr(line, '=');
    *separator = 0; // VIOLATED(null)
    return (int)strlen(line);
}
