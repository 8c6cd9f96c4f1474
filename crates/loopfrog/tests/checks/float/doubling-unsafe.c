/* A price grows until it is no number any more. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    float price = 1.0f;
    unsigned char years = __VERIFIER_nondet_uchar();
    if (years > 5)
        return 1;
    for (int i = 0; i < years; i++)
        price = price * 100000000.0f; // VIOLATED(float)
    return price > 2.0f;
}
