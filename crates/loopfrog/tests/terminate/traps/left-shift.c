// program: DIVERGES
// Shifting a negative number to the left is undefined in C, and still no end of the program.
int main(void) {
    int x = -1;
    while (x != 0) { // DIVERGES
        x = x << 1;
        x = x | 1;
    }
    return 0;
}
