// program: DIVERGES
// -1 becomes the greatest unsigned number: what is less than it in signed numbers is not here.
int main(void) {
    unsigned limit = 5;
    int i = -1;
    while (i >= limit) // DIVERGES
        i = -1;
    return 0;
}
