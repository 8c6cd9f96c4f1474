// program: NOT(terminates)
// flags: --engine orders,lists,run
// Where the last node leads, nobody knows.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *make(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    return node;
}
int main(void) {
    struct node *head = 0, *tail = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = make(n);
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
