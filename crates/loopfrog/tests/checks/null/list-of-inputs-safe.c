/* All nodes of a list of any length lead to the next one, or to nowhere. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *first = 0, *node, **end = &first;
    int count = __VERIFIER_nondet_int(), sum = 0;
    for (int k = 0; k < count; k++) {
        node = malloc(sizeof *node);
        if (!node)
            exit(1);
        node->value = k; // PROVED(null)
        node->next = 0;
        *end = node; // PROVED(null)
        end = &node->next;
    }
    for (node = first; node; node = node->next) // PROVED(null) PROVED(bounds) PROVED(dangling)
        sum ^= node->value; // PROVED(null) PROVED(bounds) PROVED(dangling)
    return sum;
}
