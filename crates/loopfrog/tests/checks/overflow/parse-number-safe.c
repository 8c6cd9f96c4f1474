/* A decimal number is read from an argument. */
#include <limits.h>

int main(int argc, char **argv)
{
    int value = 0;
    if (argc < 2)
        return 1;
    const char *digit = argv[1];
    for (int i = 0; i < 9 && *digit >= '0' && *digit <= '9'; i++) {
        value = value * 10 + (*digit - '0'); // TODO-PROVED(overflow)
        digit++;
    }
    return value % 2;
}
