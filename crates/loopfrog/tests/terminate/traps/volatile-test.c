// program: NOT(terminates) NOT(diverges)
// Anything may stop it, or nothing.
volatile int stop;
int main(void) {
    while (!stop) // NOT(terminates)
        ;
    return 0;
}
