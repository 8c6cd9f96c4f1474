// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    b->next = a;
    a->next = b;
    for (struct node *p = a; p; p = p->next) // NOT(terminates)
        if (p->value == 3 && __VERIFIER_nondet_int())
            return 0;
    return 0;
}
