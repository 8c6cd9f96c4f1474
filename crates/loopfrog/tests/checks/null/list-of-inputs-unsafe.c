/* One node of a list leads anywhere. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *first = 0, *node;
    int count = __VERIFIER_nondet_int() & 3, sum = 0;
    for (int k = 0; k < count; k++) {
        node = malloc(sizeof *node);
        if (!node)
            exit(1);
        node->value = k; // PROVED(null)
        if (k != 1)
            node->next = first;
        first = node;
    }
    for (node = first; node; node = node->next) // MAY(null) MAY(bounds)
        sum ^= node->value; // MAY(null) MAY(bounds)
    return sum;
}
