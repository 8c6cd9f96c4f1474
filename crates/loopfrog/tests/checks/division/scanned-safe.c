/* A function that has no model writes where its arguments lead. */
#include <stdio.h>

int main(void)
{
    int parts = 5;
    if (scanf("%d", &parts) != 1)
        return 1;
    if (parts == 0)
        return 1;
    return 60 / parts; // PROVED(division)
}
