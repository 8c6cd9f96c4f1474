// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int lo = __VERIFIER_nondet_int(), hi = __VERIFIER_nondet_int();
    while (lo < hi) { // TERMINATES
        if (__VERIFIER_nondet_int())
            lo++;
        else
            hi--;
    }
    return 0;
}
