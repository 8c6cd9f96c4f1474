/* A counter that stops in time. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned char seen = 0;
    for (int i = 0; i < n; i++) // PROVED(overflow)
        seen ^= (unsigned char)i;
    return seen;
}
