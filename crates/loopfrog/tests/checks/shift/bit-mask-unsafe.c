/* A mask with a given number of bits. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned bits = __VERIFIER_nondet_uint();
    if (bits > 32)
        return 1;
    unsigned mask = (1u << bits) - 1; // VIOLATED(shift)
    return mask == 255;
}
