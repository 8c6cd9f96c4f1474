/* A structure with a flexible array member. */
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

struct message {
    unsigned char length;
    char text[];
};

int main(void)
{
    unsigned char length = __VERIFIER_nondet_uchar();
    struct message *m = malloc(sizeof *m + length + 1);
    if (!m)
        return 1;
    m->length = length; // PROVED(bounds)
    memset(m->text, 'x', length); // PROVED(bounds)
    m->text[length] = 0; // PROVED(bounds)
    free(m);
    return 0;
}
