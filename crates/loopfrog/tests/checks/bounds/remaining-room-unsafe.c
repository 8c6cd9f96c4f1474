#include <stdio.h>
#include <string.h>

static char names[512];

int main(void) {
    char *next = names;
    int room = sizeof names;
    while (room > 8) {
        int n;
        if (!fgets(next, room, stdin)) // MAY(bounds)
            break;
        n = strlen(next) + 1;
        next += n;
        room -= n - 1;
    }
    return 0;
}
