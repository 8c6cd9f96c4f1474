// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *make(int n, struct node *first) {
    if (n <= 0)
        return first;
    struct node *node = malloc(sizeof *node);
    if (!first)
        first = node;
    node->next = make(n - 1, first);
    return node;
}
int main(void) {
    struct node *head = make(__VERIFIER_nondet_int() % 100, 0);
    for (struct node *p = head; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
