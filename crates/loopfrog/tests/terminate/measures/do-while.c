// program: TODO-TERMINATES
int main(void) {
    unsigned char i = 0;
    do // TODO-TERMINATES
        i += 3;
    while (i != 0);
    return 0;
}
