// program: TERMINATES
// The comparison is unsigned, so -1 is not below 5.
int main(void) {
    int i = -1;
    while (i < 5u) // TERMINATES
        i = -2;
    return 0;
}
