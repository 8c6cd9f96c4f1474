/* One node gets its bound from the one before it, and never more than the buffer has room for. */
#include <stdlib.h>

struct node {
    int size;
    struct node *next;
};

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char buffer[8] = {0};
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second), *node;
    if (!first || !second)
        return 1;
    first->size = 1;
    first->next = second;
    second->size = 1;
    second->next = first;
    node = first;
    int rounds = __VERIFIER_nondet_int();
    for (int i = 0; i < rounds && i < 12; i++) {
        node->next->size = node->size < 8 ? node->size + 1 : 1;
        node = node->next;
    }
    buffer[node->size - 1] = 1; // PROVED(bounds)
    return buffer[0];
}
