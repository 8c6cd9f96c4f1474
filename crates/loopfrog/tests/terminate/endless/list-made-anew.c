// program: DIVERGES
// Each round makes a list of its own. The states are equal although the objects are others.
#include <stdlib.h>

struct node { struct node *next; int value; };

int main(void) {
    struct node *list = 0;
    while (1) { // DIVERGES
        struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
        if (!first || !second)
            return 1;
        first->next = second;
        first->value = 1;
        second->next = 0;
        second->value = 2;
        if (list) {
            free(list->next);
            free(list);
        }
        list = first;
    }
}
