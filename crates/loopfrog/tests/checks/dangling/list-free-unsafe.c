/* A list is freed while it is walked. */
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *push(struct node *list)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->next = list; // PROVED(dangling)
    return node;
}

int main(void)
{
    struct node *list = push(push(push(NULL)));
    while (list) {
        free(list);
        list = list->next; // VIOLATED(dangling)
    }
    return 0;
}
