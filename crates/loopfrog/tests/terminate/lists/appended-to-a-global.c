// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *head, *tail;
static void add(int v) {
    struct node *node = malloc(sizeof *node);
    if (!node) exit(1);
    node->value = v + 1;
    node->next = NULL;
    if (tail == NULL) head = node; else tail->next = node;
    tail = node;
}
int main(void) {
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) add(__VERIFIER_nondet_int());
    int sum = 0;
    for (struct node *p = head; p; p = p->next) sum += p->value;
    return 0;
}
