// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    while (b) { // TERMINATES
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}
