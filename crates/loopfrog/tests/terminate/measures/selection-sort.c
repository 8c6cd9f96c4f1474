// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[8];
    for (int i = 0; i < 8; i++) // TERMINATES
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 7; i++) // TERMINATES
        for (int j = i + 1; j < 8; j++) // TERMINATES
            if (a[j] < a[i]) {
                int t = a[i];
                a[i] = a[j];
                a[j] = t;
            }
    return a[0] > a[1];
}
