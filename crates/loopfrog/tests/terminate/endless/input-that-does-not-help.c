// program: NOT(diverges)
// Whatever the input is, the counter comes to its end after more rounds than anybody looks at.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = 5, left = 1000000;
    while (left) { // NOT(diverges)
        if (__VERIFIER_nondet_uint() != x)
            break;
        x = x * 3 + 1;
        left--;
    }
    return 0;
}
