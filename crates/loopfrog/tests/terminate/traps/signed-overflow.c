// program: NOT(terminates)
// Counting down from -1 comes to 0 only by overflow, which has no meaning.
int main(void) {
    for (int n = -1; n != 0; n--) // NOT(terminates)
        ;
    return 0;
}
