// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
void push(struct node **head, int v) { struct node *n = malloc(sizeof *n); n->value = v; n->next = *head; *head = n; }
int main(void) {
    struct node *head = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) push(&head, i);
    for (struct node *p = head; p != 0; p = p->next) ;
    return 0;
}
