// program: DIVERGES
// The counter takes all values before the state comes back; the loop does not depend on it.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned rounds = 0;
    while (__VERIFIER_nondet_int()) // DIVERGES
        rounds++;
    return rounds % 2;
}
