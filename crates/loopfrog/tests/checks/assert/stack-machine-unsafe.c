/* A small stack of numbers. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int stack[4];
static int depth;

static void push(int value)
{
    if (depth < 4)
        stack[depth++] = value;
}

static int pop(void)
{
    return depth > 0 ? stack[--depth] : 0;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    push(1);
    push(x);
    assert(pop() == 1); // VIOLATED(assert)
    return 0;
}
