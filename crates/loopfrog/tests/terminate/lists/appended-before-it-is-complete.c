// program: TERMINATES
// The field of a node is written when the next one is there.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *build(int n) {
    struct node *head, *curr = malloc(sizeof *curr);
    curr->value = 0;
    head = curr;
    for (int i = 1; i < n; i++) {
        struct node *next_node = malloc(sizeof *next_node);
        next_node->value = i;
        curr->next = next_node;
        curr = next_node;
    }
    curr->next = 0;
    return head;
}
int main(void) {
    struct node *p = build(__VERIFIER_nondet_int());
    while (p) p = p->next; // TERMINATES
    return 0;
}
