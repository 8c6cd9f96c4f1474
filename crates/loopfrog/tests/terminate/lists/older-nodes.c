// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *make(int n) {
    struct node *head = 0;
    for (int i = 0; i < n; i++) { // TERMINATES
        struct node *node = malloc(sizeof *node);
        node->value = __VERIFIER_nondet_int();
        node->next = head;
        head = node;
    }
    return head;
}
int length(struct node *list) { return list ? 1 + length(list->next) : 0; }
int main(void) {
    struct node *list = make(__VERIFIER_nondet_int());
    int sum = 0;
    for (struct node *p = list; p; p = p->next) // TERMINATES
        sum ^= p->value;
    struct node *q = list;
    while (q && q->value != 3) // TERMINATES
        q = q->next;
    sum ^= length(list);
    while (list) { // TERMINATES
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return sum;
}
