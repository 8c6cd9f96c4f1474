// program: TERMINATES
// The same for odd numbers only.
int main(void) {
    unsigned char i = 1;
    while (i != 5) // TERMINATES
        i += 2;
    return 0;
}
