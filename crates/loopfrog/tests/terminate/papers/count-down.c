// program: TERMINATES
// Non-Termination Proofs from Templates, listing 2.1.
int main(void) {
    int i = 1;
    while (i > 0) // TERMINATES
        i--;
    return 0;
}
