// program: DIVERGES
// Volatile objects change only when the program writes to them: an assumption of all verdicts.
volatile int stop;
int main(void) {
    while (!stop) // DIVERGES
        ;
    return 0;
}
