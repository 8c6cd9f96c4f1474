// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int left[4];
    for (int i = 0; i < 4; i++) // TERMINATES
        left[i] = __VERIFIER_nondet_int();
    int i = __VERIFIER_nondet_int();
    while (i >= 0 && i < 4 && left[i] > 0) { // TERMINATES
        left[i]--;
        i = __VERIFIER_nondet_int();
    }
    return 0;
}
