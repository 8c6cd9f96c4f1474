// program: DIVERGES
// What the inputs have to be is computed from two variables, and cut to the width of a smaller type.
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned x = 5, y = 1;
    for (;;) { // DIVERGES
        unsigned a = __VERIFIER_nondet_uint();
        unsigned char b = __VERIFIER_nondet_uchar();
        if (a - y != 2 * x + 40 || b != (unsigned char)(x + 3))
            return 0;
        x = x * 3 + y;
        y += x;
    }
}
