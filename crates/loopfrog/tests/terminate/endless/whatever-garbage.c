// program: DIVERGES
// A variable without value is read, but whatever it holds, there are runs that never end.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 1, left;
    while (state) { // DIVERGES
        if (left > 0) {
            left = __VERIFIER_nondet_int();
            if (left <= 0)
                return 1;
        }
        state = state == 1 ? 2 : 1;
    }
    return 0;
}
