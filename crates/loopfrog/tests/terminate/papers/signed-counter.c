// program: NOT(terminates) NOT(diverges)
// Non-Termination Proofs from Templates, section 4.2 has this as a loop that comes back to its first state. It does so by an overflow, which is undefined.
int main(void) {
    for (int i = 0; 1; i++) // NOT(diverges)
        ;
}
