// program: NOT(diverges)
// The same with a last message.
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned expected = 1, errors = 0;
    while (errors < 3) { // NOT(diverges)
        unsigned message = __VERIFIER_nondet_uint();
        unsigned char checksum = __VERIFIER_nondet_uchar();
        if (message != expected || checksum != (unsigned char)(message * 7))
            errors++;
        else if (++expected == 3000000)
            break;
    }
    return 0;
}
