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
        if (length == sizeof line)
            break;
        line[length] = (char)c; // PROVED(bounds)
        length++;
    }
    line[length] = 0; // VIOLATED(bounds)
    return line[0] == 'q'; // PROVED(bounds)
}
