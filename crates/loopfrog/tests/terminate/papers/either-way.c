// program: DIVERGES
extern unsigned __VERIFIER_nondet_uint(void);
// The same, section 6.3.
int main(void) {
    unsigned c = __VERIFIER_nondet_uint(), i = 1;
    while (1) { // DIVERGES
        if (c)
            i = i + 1;
        else
            i = i + i;
    }
}
