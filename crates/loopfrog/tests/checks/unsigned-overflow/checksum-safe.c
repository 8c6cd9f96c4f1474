/* Bytes are added up; what goes round is meant to. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char sum = 0;
    for (int i = 0; i < 3; i++) {
        sum = (unsigned char)(sum + __VERIFIER_nondet_uchar()); // PROVED(unsigned-overflow)
    }
    return sum == 9;
}
