// program: DIVERGES
extern int __VERIFIER_nondet_int(void);
static void forever(void) {
    while (1) // DIVERGES
        ;
}
static void once(void) {}
int main(void) {
    void (*f)(void) = __VERIFIER_nondet_int() ? once : forever;
    f();
    return 0;
}
