/* The mean of the first n measurements, where n is the number of arguments. Two things can go wrong. */
#include <stdio.h>

#define COUNT 8

static const int measurements[COUNT] = {3, 1, 4, 1, 5, 9, 2, 6};

static int mean(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += measurements[i];
    return sum / n;
}

int main(int argc, char **argv)
{
    int n = argc - 1;
    if (n > COUNT + 1)
        return 1;
    printf("%d\n", mean(n));
    return 0;
}
