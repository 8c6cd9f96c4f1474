// program: NOT(diverges)
// To read the variable has no meaning.
int main(void) {
    int x;
    while (x == 5) // NOT(diverges)
        ;
    return 0;
}
