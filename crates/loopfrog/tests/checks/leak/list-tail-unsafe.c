/* A list is freed from its head on. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    unsigned count = __VERIFIER_nondet_uint() % 3;
    for (unsigned i = 0; i < count; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->next = list;
        list = node;
    }
    if (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0; // VIOLATED(leak)
}
