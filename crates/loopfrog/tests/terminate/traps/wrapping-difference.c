// program: DIVERGES
// hi - lo wraps, where it would be negative.
int main(void) {
    unsigned char lo = 0, hi = 5;
    while ((unsigned char)(hi - lo) > 0) // DIVERGES
        lo += 2, hi += 2;
    return 0;
}
