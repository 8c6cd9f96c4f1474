// A list that a recursive function makes: the first node is made by the first call, the others by calls inside of it.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *list(int length)
{
    if (length == 0)
        return NULL;
    struct node *first = malloc(sizeof *first);
    if (!first)
        exit(0);
    first->value = length;
    first->next = list(length - 1);
    return first;
}

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 4)
        return 0;
    struct node *first = list(length);
    struct node *node = first;
    while (node->next != NULL) {
        node = node->next;
        assert(node != NULL); // PROVED(assert)
    }
    return 0;
}
