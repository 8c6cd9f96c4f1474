// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *all;
void add(int value) {
    struct node *node = malloc(sizeof(struct node));
    if (!node)
        abort();
    node->value = value;
    node->next = all;
    all = node;
}
int main(void) {
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) // TERMINATES
        add(__VERIFIER_nondet_int());
    for (struct node *p = all; p; p = p->next) // TERMINATES
        if (p->value == 7)
            return 1;
    return 0;
}
