// program: DIVERGES
#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 1;
    a->next = b;
    b->next = a;
    for (struct node *p = a; p; p = p->next) // DIVERGES
        ;
    return 0;
}
