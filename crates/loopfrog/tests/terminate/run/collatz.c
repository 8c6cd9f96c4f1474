// program: TERMINATES
int main(void) {
    unsigned long n = 27;
    int steps = 0;
    while (n != 1) { // TERMINATES
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}
