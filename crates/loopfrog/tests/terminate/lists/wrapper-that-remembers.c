// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *last;
static struct node *make(void) {
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    last = node;
    return node;
}
int main(void) {
    struct node *head = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = make();
        last->next = node;
        head = node;
    }
    for (struct node *p = head; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
