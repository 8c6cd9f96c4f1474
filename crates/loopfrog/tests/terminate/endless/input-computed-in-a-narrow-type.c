// The input would have to be larger than its type allows.
// program: NOT(diverges)
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned x = 1;
    for (;;) { // NOT(diverges)
        unsigned y = x * x + 7;
        unsigned z = __VERIFIER_nondet_uchar();
        if (z != y)
            break;
        x = x + 1;
    }
    return 0;
}
