// program: NOT(terminates)
// It may write to what it is given.
extern void somebody_else(int *);
int main(void) {
    int n = 10;
    while (n > 0) { // NOT(terminates)
        n--;
        somebody_else(&n);
    }
    return 0;
}
