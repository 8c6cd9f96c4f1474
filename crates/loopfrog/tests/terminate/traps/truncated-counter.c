// program: DIVERGES
// A counter of 8 bits never gets to 300.
int main(void) {
    for (unsigned char i = 0; i < 300; i++) // DIVERGES
        ;
    return 0;
}
