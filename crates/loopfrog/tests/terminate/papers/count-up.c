// program: TERMINATES
// Non-Termination Proofs from Templates, section 5.1: nine rounds, no state of which comes back.
int main(void) {
    int i = 1;
    while (i < 10) // TERMINATES
        i++;
    return 0;
}
