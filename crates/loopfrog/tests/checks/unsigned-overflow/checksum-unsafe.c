/* Bytes are added up; what goes round is meant to. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char sum = 0;
    unsigned wide = 0xffffff00u;
    for (int i = 0; i < 3; i++) {
        wide += __VERIFIER_nondet_uchar(); // VIOLATED(unsigned-overflow)
    }
    sum = (unsigned char)wide;
    return sum == 9;
}
