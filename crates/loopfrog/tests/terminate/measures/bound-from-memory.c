// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
struct box { int size; };
int main(void) {
    struct box b;
    b.size = __VERIFIER_nondet_int();
    for (int i = 0; i < b.size; i++) // TERMINATES
        ;
    return 0;
}
