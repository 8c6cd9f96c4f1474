// program: DIVERGES
// Not to be taken for an assumption that never holds.
int main(void) {
    while (1) // DIVERGES
        ;
}
