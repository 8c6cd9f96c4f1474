// program: DIVERGES
// The condition is evaluated behind the assignment, not before it.
int main(void) {
    int x = 10;
    while (x > 0) { // DIVERGES
        x = 5;
        if (x > 7)
            x--;
    }
    return 0;
}
