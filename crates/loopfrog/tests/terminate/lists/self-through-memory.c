// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *all;
int main(void) {
    struct node **place = &all;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = malloc(sizeof *node);
        *place = node;
        node->next = all;
    }
    for (struct node *p = all; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
