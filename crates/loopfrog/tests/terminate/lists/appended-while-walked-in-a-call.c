// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *head, *tail;
static void append(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    node->next = 0;
    if (tail)
        tail->next = node;
    else
        head = node;
    tail = node;
}
static void visit(struct node *p) {
    if (p->value != 7)
        append();
}
int main(void) {
    for (int n = __VERIFIER_nondet_int(); n > 0; n--)
        append();
    for (struct node *p = head; p; p = p->next) // NOT(terminates)
        visit(p);
    return 0;
}
