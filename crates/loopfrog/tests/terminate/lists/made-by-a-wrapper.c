// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
void *xmalloc(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }
int main(void) {
    struct node *head = 0;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *node = xmalloc(sizeof *node);
        node->value = n;
        node->next = head;
        head = node;
    }
    for (struct node *p = head; p; p = p->next) // TERMINATES
        ;
    return 0;
}
