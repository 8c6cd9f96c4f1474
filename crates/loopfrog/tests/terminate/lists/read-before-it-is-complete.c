// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static int count(struct node *p) {
    int found = 0;
    for (; p; p = p->next) // NOT(terminates)
        found++;
    return found;
}
int main(void) {
    struct node *head = malloc(sizeof *head), *tail = head;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = malloc(sizeof *node);
        node->value = count(head);
        tail->next = node;
        tail = node;
    }
    tail->next = 0;
    return 0;
}
