/* Two bytes from standard input, put together and taken apart. */
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int high = getchar(), low = getchar();
    if (high == EOF || low == EOF)
        return 1;
    unsigned short both = (unsigned short)(high << 8 | low);
    assert(both >> 8 == high && (both & 255) == low); // PROVED(assert)
    return 0;
}
