/* A function that is called in a loop and moves an index behind a pointer. */
extern int __VERIFIER_nondet_int(void);

static char buffer[80];

static void put(int *used, char c)
{
    if (*used < 81)
        buffer[(*used)++] = c; // VIOLATED(bounds)
}

int main(void)
{
    int used = 0, n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        put(&used, 'a');
    return 0;
}
