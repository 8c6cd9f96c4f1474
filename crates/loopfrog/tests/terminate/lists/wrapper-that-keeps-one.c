// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *spare;
static struct node *make(void) {
    struct node *node = spare;
    if (node) {
        spare = 0;
        return node;
    }
    node = malloc(sizeof *node);
    node->next = 0;
    spare = node;
    return node;
}
int main(void) {
    struct node *head = 0, *tail = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = make();
        if (tail)
            tail->next = node;
        else
            head = node;
        tail = node;
    }
    for (struct node *p = head; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
