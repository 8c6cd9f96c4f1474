/* A callback sees each element once. */
#include <assert.h>
#include <stdlib.h>

struct total {
    int sum, count;
};

static void visit(const int *items, int count, void (*each)(int, void *), void *context)
{
    for (int i = 1; i < count; i++)
        each(items[i], context);
}

static void add(int item, void *context)
{
    struct total *total = context;
    total->sum += item;
    total->count++;
}

int main(void)
{
    static const int items[] = {1, 2, 3};
    struct total *total = calloc(1, sizeof *total);
    if (!total)
        return 1;
    visit(items, 3, add, total);
    assert(total->count == 3 && total->sum == 6); // VIOLATED(assert)
    free(total);
    return 0;
}
