// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *first;
struct node *make(int n) {
    struct node *node = malloc(sizeof *node);
    if (!first)
        first = node;
    node->next = n > 0 ? make(n - 1) : first;
    return node;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 100)
        return 0;
    for (struct node *p = make(n); p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
