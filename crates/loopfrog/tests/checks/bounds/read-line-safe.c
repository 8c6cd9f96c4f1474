/* A line of standard input, byte by byte. */
#include <stdio.h>

int main(void)
{
    char line[6];
    int length = 0;
    for (;;) {
        int c = getchar();
        if (c == EOF || c == '\n')
            break;
        if (length == sizeof line - 1)
            break;
        line[length] = (char)c; // PROVED(bounds)
        length++;
    }
    line[length] = 0; // PROVED(bounds)
    return line[0] == 'q'; // PROVED(bounds)
}
