// program: DIVERGES
// What the test reads is written through another pointer.
int main(void) {
    int n = 10;
    int *p = &n;
    while (n > 0) { // DIVERGES
        n--;
        *p = 10;
    }
    return 0;
}
