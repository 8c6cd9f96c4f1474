/* A function that sets its result only if it succeeds. */
static int digit(int c, int *value)
{
    if (c < '0' || c > '9')
        return 0;
    *value = c - '0';
    return 1;
}

int main(int argc, char **argv)
{
    int value;
    if (argc < 2)
        return 1;
    if (!digit(argv[1][0], &value))
        return 1;
    return value; // PROVED(uninit)
}
