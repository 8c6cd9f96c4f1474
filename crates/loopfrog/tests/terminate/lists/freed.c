// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0, *tail = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = malloc(sizeof *node);
        node->next = 0;
        if (tail) tail->next = node; else head = node;
        tail = node;
    }
    while (head) { struct node *t = head; head = head->next; free(t); } // TERMINATES
    return 0;
}
