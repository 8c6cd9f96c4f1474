// program: TERMINATES
extern unsigned __VERIFIER_nondet_uint(void);
// Unsigned numbers wrap, so this comes to 0.
int main(void) {
    for (unsigned n = __VERIFIER_nondet_uint(); n != 0; n++) // TERMINATES
        ;
    return 0;
}
