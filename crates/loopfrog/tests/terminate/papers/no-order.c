// flags: --engine order-numeric,order-any,order-sum,order-extremes,order-combined,compositional,terminator
// program: NOT(terminates)
// No engine may be content with what does not decrease.
int main(void) {
    unsigned char x = 0, y = 0;
    while (x < 10) { // NOT(terminates)
        x ^= 1;
        y++;
    }
    return 0;
}
