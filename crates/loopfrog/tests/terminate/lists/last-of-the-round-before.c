// program: NOT(terminates)
// flags: --engine orders,lists,run
// A node is linked in the round after it was made, to one that is newer.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *last = 0, *node = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        last = node;
        node = malloc(sizeof *node);
        node->next = last;
        if (last)
            last->next = node;
    }
    for (struct node *p = node; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
