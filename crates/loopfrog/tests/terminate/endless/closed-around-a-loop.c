// program: DIVERGES
// The odd numbers are never left, whatever the loop inside does: that it ends is of no importance.
int main(void) {
    unsigned x = 7, s = 0;
    while (x != 4) { // DIVERGES
        unsigned i = 0;
        while (i < s) // TERMINATES
            i++;
        s++;
        x += 2;
    }
    return 0;
}
