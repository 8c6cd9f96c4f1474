// program: DIVERGES
// The same, section 4.2.
int main(void) {
    for (unsigned i = 0; 1; i++) // DIVERGES
        ;
}
