// program: DIVERGES
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    while (a != b) { // DIVERGES
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a;
}
