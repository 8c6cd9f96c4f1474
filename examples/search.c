/* Looks for the number of arguments in a sorted table. Nothing can go wrong here, and Loopfrog can tell. */
#include <stdio.h>

#define COUNT 10

static const int table[COUNT] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89};

/* The position of a number, or -1. */
static int position(int number)
{
    int low = 0, high = COUNT;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table[middle] == number)
            return middle;
        if (table[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int main(int argc, char **argv)
{
    int found = position(argc);
    if (found >= 0)
        printf("%d is at %d, behind %d\n", argc, found, found > 0 ? table[found - 1] : 0);
    return 0;
}
