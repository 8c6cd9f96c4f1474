/* A search that ends in three ways. */
extern int __VERIFIER_nondet_int(void);

static int table[100];

int main(void)
{
    int key = __VERIFIER_nondet_int(), limit = __VERIFIER_nondet_int();
    int i = 0;
    if (limit < 0)
        return 2;
    while (i < 101) {
        if (table[i] == key) // VIOLATED(bounds)
            break;
        if (i >= limit)
            return 1;
        i++;
    }
    return 0;
}
