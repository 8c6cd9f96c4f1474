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
        struct node *next = list->next; // PROVED(dangling)
        free(list);
        list = next;
    }
    return 0;
}
