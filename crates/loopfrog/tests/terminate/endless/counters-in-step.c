// program: DIVERGES
// That the test never fails follows from how both change.
int main(void) {
    unsigned once = 0, twice = 0;
    while (twice - 2 * once == 0) { // DIVERGES
        once++;
        twice += 2;
    }
    return 0;
}
