// program: NOT(diverges)
// The only input that keeps the run in the loop makes a signed number leave its range in the end.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 1;
    while (1) { // NOT(diverges)
        int y = __VERIFIER_nondet_int();
        if (y != x + 1)
            break;
        x = y;
    }
    return 0;
}
