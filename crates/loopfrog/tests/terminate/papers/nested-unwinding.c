// program: TERMINATES
// The same, section 5.1.
int main(void) {
    int i = 1;
    while (i < 10) // TERMINATES
        while (i < 10) // TERMINATES
            i++;
    return 0;
}
