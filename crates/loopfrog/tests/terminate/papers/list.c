// program: TERMINATES
// The same, section 8.4: each malloc gives an object of its own, so the list has no circle.
#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
    struct node *head = 0, *at;
    for (int i = 0; i < 2; i++) { // TERMINATES
        at = malloc(sizeof *at);
        if (!at)
            exit(1);
        at->next = head;
        head = at;
    }
    at = head;
    while (at) // TERMINATES
        at = at->next;
    return 0;
}
