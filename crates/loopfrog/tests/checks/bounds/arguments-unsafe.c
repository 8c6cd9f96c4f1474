/* There may be more arguments than there is room for, and behind the last one there is none. */
int main(int argc, char **argv)
{
    char first[4] = "";
    int letters = 0;
    for (int k = 1; k < argc; k++)
        first[k] = argv[k][0]; // VIOLATED(bounds)
    for (int k = 1; k <= argc; k++)
        letters += argv[k][0] == '-'; // VIOLATED(null)
    return letters != first[1];
}
