// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *new_node(int v) { struct node *n = malloc(sizeof(struct node)); n->value = v; return n; }
struct node *push(struct node *head, int v) { struct node *n = new_node(v); n->next = head; return n; }
int main(void) {
    struct node *head = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) head = push(head, i);
    while (head) { struct node *t = head; head = head->next; free(t); } // TERMINATES
    return 0;
}
