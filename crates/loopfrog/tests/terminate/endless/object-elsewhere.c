// What an object holds that is only declared is not known. A run that does not use it does not end.
// program: DIVERGES
extern int __VERIFIER_nondet_int(void);
extern unsigned long ticks;
int main(void) {
    int on = 0;
    while (__VERIFIER_nondet_int() || on) { // DIVERGES
        if (__VERIFIER_nondet_int() == 7)
            on = ticks > 5;
    }
    return 0;
}
