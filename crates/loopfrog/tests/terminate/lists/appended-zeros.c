// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = calloc(1, sizeof *head), *tail = head;
    if (!head) return 1;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = calloc(1, sizeof *node);
        if (!node) break;
        tail->next = node;
        tail = node;
    }
    for (struct node *p = head; p; p = p->next) // TERMINATES
        ;
    return 0;
}
