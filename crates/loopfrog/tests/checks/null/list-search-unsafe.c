/* A list is searched; what is not found is null. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int key, value;
    struct node *next;
};

static struct node *find(struct node *list, int key)
{
    while (list && list->key != key) // PROVED(null)
        list = list->next; // PROVED(null)
    return list;
}

int main(void)
{
    struct node second = {2, 20, NULL}, first = {1, 10, &second};
    struct node *found = find(&first, __VERIFIER_nondet_int());
    return found->value; // VIOLATED(null)
}
