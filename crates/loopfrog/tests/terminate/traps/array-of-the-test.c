// program: DIVERGES
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4] = {5, 5, 5, 5};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    while (a[2] > 0) { // DIVERGES
        a[2]--;
        a[i] = 5;
    }
    return 0;
}
