// program: DIVERGES
// Each inner loop ends; the outer one begins again.
int main(void) {
    int i = 0, j = 0;
    while (i < 5) { // DIVERGES
        for (j = 0; j < 3; j++)
            i++;
        if (i >= 3)
            i = 0;
    }
    return 0;
}
