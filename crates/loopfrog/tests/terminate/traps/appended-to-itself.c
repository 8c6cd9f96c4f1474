// program: DIVERGES
// A list that a recursive function makes, appended to itself: a circle.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
static struct node *list(int n) {
    if (n == 0)
        return NULL;
    struct node *first = malloc(sizeof *first);
    if (!first)
        exit(1);
    first->next = list(n - 1);
    return first;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    struct node *first = list(n), *last = first;
    while (last->next)
        last = last->next;
    last->next = first;
    int length = 0;
    for (struct node *node = first; node; node = node->next) // DIVERGES
        length = (length + 1) % 7;
    return length;
}
