#include <stdio.h>
#include <string.h>

static char names[512];

int main(void) {
    char *next = names;
    int room = sizeof names;
    while (room > 8) {
        int n;
        if (!fgets(next, room, stdin)) // PROVED(bounds)
            break;
        n = strlen(next) + 1; // PROVED(bounds)
        next += n;
        room -= n;
    }
    return 0;
}
