/* A bit is taken from a word; the number comes from an argument. */
int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    int number = argv[1][0] - '0';
    if (number < 0 || number > 9)
        return 1;
    return 0x2a5 >> number & 1; // PROVED(shift)
}
