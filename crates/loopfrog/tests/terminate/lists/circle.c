// program: NOT(terminates)
// flags: --engine orders,lists,run
// The first node leads to the last one.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0, *first = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = 1;
        node->next = head;
        head = node;
        if (!first)
            first = node;
    }
    if (first)
        first->next = head;
    for (struct node *p = head; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
