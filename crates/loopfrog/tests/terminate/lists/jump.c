// program: NOT(terminates)
// flags: --engine orders,lists,run
// A jump out of calls leaves a node whose field is not written.
#include <setjmp.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
jmp_buf back;
struct node *all;
void add(void) {
    struct node *node = malloc(sizeof *node);
    struct node *old = all;
    all = node;
    if (__VERIFIER_nondet_int())
        longjmp(back, 1);
    node->next = old;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    setjmp(back);
    for (; n > 0; n--)
        add();
    for (struct node *p = all; p; p = p->next) // NOT(terminates)
        ;
    return 0;
}
