// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *new_node(int v) { struct node *n = malloc(sizeof *n); if (!n) abort(); n->value = v; n->next = 0; return n; }
int main(void) {
    struct node *head = 0, *tail = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = new_node(n);
        if (!head) head = node; else tail->next = node;
        tail = node;
    }
    for (struct node *p = head; p; p = p->next) // TERMINATES
        ;
    return 0;
}
