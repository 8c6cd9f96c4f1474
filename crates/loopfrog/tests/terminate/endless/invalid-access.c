// program: NOT(diverges)
// It would go on for ever, were it not for the array's end.
int main(void) {
    int zeros[4] = {0}, i = 0;
    while (zeros[i] == 0) // NOT(diverges)
        i++;
    return i;
}
