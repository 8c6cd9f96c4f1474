// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next, *prev; };
int main(void) {
    struct node *head = 0, *tail = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = malloc(sizeof *node);
        node->value = __VERIFIER_nondet_int();
        node->next = 0;
        node->prev = tail;
        if (tail) tail->next = node; else head = node;
        tail = node;
    }
    for (struct node *p = head; p; p = p->next) // TERMINATES
        ;
    for (struct node *p = tail; p; p = p->prev) // TERMINATES
        ;
    return 0;
}
