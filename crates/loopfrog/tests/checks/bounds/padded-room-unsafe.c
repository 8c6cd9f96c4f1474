#include <stdio.h>
#include <string.h>

int main(void) {
    char table[100];
    char *next = table;
    int room = 2 * sizeof table;
    while (room >= 16) {
        unsigned n = getchar();
        if (n > (unsigned)room - 8)
            break;
        memset(next, 1, n); // VIOLATED(bounds)
        next += n;
        room -= n;
    }
    return 0;
}
