/* Two counters that a loop moves together. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);


int main(void)
{
    int n = __VERIFIER_nondet_int();
    int up = 0, down = n;
    while (down > 0) {
        up++;
        down -= 1;
    }
    if (n >= 0)
        __VERIFIER_assert(up == n); // TODO-PROVED(assert)
    return 0;
}
