/* Seven bits at a time, as in network protocols. */
#include <stdio.h>

int main(void)
{
    unsigned value = 0, distance = 0;
    for (int i = 0; i < 6; i++) {
        int c = getchar();
        if (c == EOF)
            return 1;
        value |= (unsigned)(c & 127) << distance; // VIOLATED(shift)
        if (!(c & 128))
            break;
        distance += 7;
    }
    return value == 300;
}
