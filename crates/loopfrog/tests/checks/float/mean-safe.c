/* The mean of what was read, as a fraction. */
#include <stdio.h>

int main(void)
{
    double sum = 0, count = 0;
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        if (c == EOF)
            break;
        sum += c; // PROVED(float)
        count += 1; // PROVED(float)
    }
    if (count == 0)
        return 1;
    return sum / count > 64.0; // PROVED(float)
}
