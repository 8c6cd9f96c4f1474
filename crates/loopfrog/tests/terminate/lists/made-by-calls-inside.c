// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *make(int n) {
    if (n == 0) return 0;
    struct node *head = malloc(sizeof *head);
    head->value = n;
    head->next = make(n - 1);
    return head;
}
int length(struct node *p) { return p ? 1 + length(p->next) : 0; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    struct node *p = make(n);
    int l = length(p);
    while (p) p = p->next; // TERMINATES
    return l;
}
