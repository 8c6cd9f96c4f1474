// flags: --32
/* `long` is wide enough only where it has 64 bits. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char place = __VERIFIER_nondet_uchar() % 64;
    unsigned long long bit = 1ull << place; // PROVED(shift)
    return bit == 8;
}
