// program: TERMINATES
// Loop Summarization using State and Transition Invariants, Fig. 2.
int main(void) {
    int x = 0;
    while (x < 255) // TERMINATES
        x++;
    return 0;
}
