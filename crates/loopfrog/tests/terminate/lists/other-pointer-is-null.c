// program: NOT(terminates)
// flags: --engine orders,lists,run
// Where the first node leads is decided only if there is a second one.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0, *tail = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = malloc(sizeof *node), *other = tail;
        if (other == 0) {
            head = tail = node;
            continue;
        }
        node->next = 0;
        tail->next = node;
        tail = node;
    }
    for (struct node *p = head; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
