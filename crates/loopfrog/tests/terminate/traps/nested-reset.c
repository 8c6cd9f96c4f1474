// program: DIVERGES
// The inner loop ends each time; the outer one never does, because the inner one undoes its step.
int main(void) {
    int i = 0, j;
    while (i < 10) { // DIVERGES
        i++;
        for (j = 0; j < 1; j++) // NOT(diverges)
            i--;
    }
    return 0;
}
