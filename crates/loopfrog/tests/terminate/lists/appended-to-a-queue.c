// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct list { struct node *head, *tail; int count; };
static void add(struct list *l, int v) {
    struct node *node = malloc(sizeof *node);
    if (!node) exit(1);
    node->value = v + 1;
    node->next = NULL;
    if (l->tail == NULL) l->head = node; else l->tail->next = node;
    l->tail = node;
    l->count++;
}
int main(void) {
    struct list l = {0};
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) add(&l, i);
    int sum = 0;
    for (struct node *p = l.head; p; p = p->next) sum += p->value & 1;
    return 0;
}
