// program: DIVERGES
// x != 3 leaves nothing of the set {3}: the exit is never taken.
int main(void) {
    int x = 3;
    while (1) { // DIVERGES
        if (x != 3)
            break;
    }
    return 0;
}
