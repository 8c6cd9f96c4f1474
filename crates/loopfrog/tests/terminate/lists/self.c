// program: NOT(terminates)
// flags: --engine orders,lists,run
// A copy of a pointer is no older than its object.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node), *copy = node;
        node->value = 1;
        node->next = i == 5 ? copy : head;
        head = node;
    }
    for (struct node *p = head; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
