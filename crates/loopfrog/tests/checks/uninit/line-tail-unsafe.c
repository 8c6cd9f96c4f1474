/* Only a part of a buffer was read. */
#include <stdio.h>

int main(void)
{
    char buffer[4];
    int length = 0, c;
    while (length < 3 && (c = getchar()) != EOF)
        buffer[length++] = (char)c;
    return buffer[0] == 'x'; // VIOLATED(uninit)
}
