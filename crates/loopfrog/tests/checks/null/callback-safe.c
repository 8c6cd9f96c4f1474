/* A table of callbacks with a hole. */
extern unsigned __VERIFIER_nondet_uint(void);

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }

static int (*const operations[4])(int) = {twice, 0, square, 0};

int main(void)
{
    unsigned number = __VERIFIER_nondet_uint() % 4;
    if (operations[number])
        return operations[number](3); // PROVED(null)
    return 0;
}
