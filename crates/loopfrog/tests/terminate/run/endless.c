// program: DIVERGES
int main(void) {
    unsigned n = 1;
    while (n != 0) // DIVERGES
        n = n * 5 % 1009;
    return 0;
}
