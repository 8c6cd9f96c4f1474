// program: TERMINATES
// Comparing pointers to whole objects with each other and with null is no matter of addresses.
#include <stdlib.h>
struct node { struct node *next; unsigned long n; };
int main(void) {
    struct node *first = 0, *last = 0;
    for (int i = 0; i < 10; i++) { // TERMINATES
        struct node *node = malloc(sizeof *node);
        node->n = 20 + i;
        node->next = first;
        if (!first)
            last = node;
        first = node;
    }
    last->next = first;
    for (struct node *p = first; p != last; p = p->next) // TERMINATES
        while (p->n != 1) // TERMINATES
            p->n = p->n % 2 ? 3 * p->n + 1 : p->n / 2;
    return 0;
}
