/* Numbers of standard input are added up. */
#include <stdio.h>

int main(void)
{
    int sum = 2147483000;
    for (int i = 0; i < 5; i++) {
        int c = getchar();
        if (c == EOF)
            break;
        if (sum > 2147483647 - c)
            return 1;
        sum += c; // PROVED(overflow)
    }
    return sum < 0;
}
