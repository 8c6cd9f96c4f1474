// program: NOT(terminates)
// Volatile objects change only when the program writes to them: an assumption of all verdicts.
volatile int stop;
int main(void) {
    while (!stop) // NOT(terminates)
        ;
    return 0;
}
