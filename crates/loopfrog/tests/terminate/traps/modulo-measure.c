// program: DIVERGES
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x % 4 != 3) // DIVERGES
        x += 2;
    return 0;
}
