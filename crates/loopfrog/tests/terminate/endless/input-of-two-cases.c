// program: DIVERGES
// What has to be given depends on whether the round is an even one.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int low = 0, high = 100;
    unsigned rounds = 0;
    while (low < high) { // DIVERGES
        int middle = __VERIFIER_nondet_int();
        if (middle < low || middle > high)
            return 1;
        if (rounds % 2)
            low = middle;
        else
            high = middle;
        rounds++;
    }
    return 0;
}
