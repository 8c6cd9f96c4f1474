/* Two handles of one buffer. */
#include <stdlib.h>

struct handle {
    char *data;
    int owner;
};

static void close_handle(struct handle *handle)
{
    free(handle->data); // VIOLATED(free)
    handle->data = NULL;
}

int main(void)
{
    struct handle first = {malloc(3), 1};
    struct handle second = first;
    second.owner = 0;
    close_handle(&second);
    close_handle(&first);
    return 0;
}
