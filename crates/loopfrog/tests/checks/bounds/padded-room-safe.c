#include <string.h>

unsigned nondet(void);

int main(void) {
    char table[400];
    char *next = table;
    int room = sizeof table;
    while (room >= 16) {
        unsigned n = nondet();
        if (n > (unsigned)room - 8)
            break;
        memset(next, 1, n); // PROVED(bounds)
        next += n;
        room -= n;
        if (nondet() == 3) {
            next += 4;
            room -= 8;
        }
    }
    return 0;
}
