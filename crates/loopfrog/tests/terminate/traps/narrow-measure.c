// program: DIVERGES
// x + y decreases in every round if it is computed in 8 bits, and never ends.
int main(void) {
    unsigned char x = 0, y = 1;
    while (x != y) { // DIVERGES
        x += 2;
        y += 2;
    }
    return 0;
}
