// program: TERMINATES
int main(void) {
    unsigned char i = 0;
    do // TERMINATES
        i += 3;
    while (i != 0);
    return 0;
}
