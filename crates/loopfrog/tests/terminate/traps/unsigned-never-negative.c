// program: NOT(terminates)
int main(void) {
    for (unsigned n = 10; n >= 0; n--) // NOT(terminates)
        ;
    return 0;
}
