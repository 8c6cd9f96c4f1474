// program: NOT(terminates)
int main(void) {
    int x = 1;
    while (x != 0) // NOT(terminates)
        x *= 2;
    return 0;
}
