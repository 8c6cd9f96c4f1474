// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0, *tail = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = malloc(sizeof *node);
        memset(node, n, sizeof *node);
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
