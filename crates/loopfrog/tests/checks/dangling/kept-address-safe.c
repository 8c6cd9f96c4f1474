/* The address of an array of a loop's block is kept as long as it lives. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int rounds = __VERIFIER_nondet_int() & 3, first = 0;
    struct {
        int value;
        int *place;
    } kept = { 0, &first };
    for (int i = 0; i < rounds; i++) {
        int block[2] = { i, 1 };
        kept.place = block + (i & 1);
        *kept.place = i; // PROVED(dangling)
        kept.place = &first;
    }
    *kept.place = 5; // PROVED(dangling)
    return first;
}
