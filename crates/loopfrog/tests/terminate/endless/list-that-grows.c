// program: NOT(terminates)
// No state comes back: the list is longer in each round.
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
    struct node *list = 0;
    while (1) { // NOT(terminates)
        struct node *first = malloc(sizeof *first);
        if (!first)
            return 1;
        first->next = list;
        list = first;
    }
}
