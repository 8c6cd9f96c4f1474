// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *old;
static struct node *make(void) {
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    return node;
}
static struct node *take(void) { return old ? old : make(); }
int main(void) {
    struct node *head = 0, *tail = 0;
    struct node *(*get)(void) = __VERIFIER_nondet_int() ? make : take;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = get();
        if (tail)
            tail->next = node;
        else
            head = node;
        old = tail = node;
    }
    for (struct node *p = head; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
