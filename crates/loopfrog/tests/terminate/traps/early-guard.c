// program: DIVERGES
int main(void) {
    int x = 10, old;
    while (x > 0) { // DIVERGES
        old = x;
        x--;
        x = old;
    }
    return 0;
}
