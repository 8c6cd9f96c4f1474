// program: DIVERGES
int main(void) {
    for (unsigned n = 10; n >= 0; n--) // DIVERGES
        ;
    return 0;
}
