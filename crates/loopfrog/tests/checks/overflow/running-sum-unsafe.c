/* Numbers of standard input are added up. */
#include <stdio.h>

int main(void)
{
    int sum = 2147483000;
    for (int i = 0; i < 5; i++) {
        int c = getchar();
        if (c == EOF)
            break;
        sum += c; // VIOLATED(overflow)
    }
    return sum < 0;
}
