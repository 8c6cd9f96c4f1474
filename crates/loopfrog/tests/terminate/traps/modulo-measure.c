// program: NOT(terminates)
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x % 4 != 3) // NOT(terminates)
        x += 2;
    return 0;
}
