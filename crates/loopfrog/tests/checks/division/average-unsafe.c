/* The average of the numbers that were given. */
#include <stdio.h>

int main(void)
{
    int sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        int c = getchar();
        if (c >= '0' && c <= '9') {
            sum += c - '0';
            count++;
        }
    }
    return sum / count; // VIOLATED(division)
}
