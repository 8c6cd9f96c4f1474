// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), count = 0;
    while (n) { // TERMINATES
        n &= n - 1;
        count++;
    }
    return count;
}
