// program: DIVERGES
// Wrong inputs are forgiven a few times only. The right ones are told by the number of the message.
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned expected = __VERIFIER_nondet_uint(), errors = 0;
    while (errors < 3) { // DIVERGES
        unsigned message = __VERIFIER_nondet_uint();
        unsigned char checksum = __VERIFIER_nondet_uchar();
        if (message != expected || checksum != (unsigned char)(message * 7))
            errors++;
        else
            expected++;
    }
    return 0;
}
