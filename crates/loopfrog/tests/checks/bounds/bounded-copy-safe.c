/* A string is copied into a smaller buffer, with pointers. */
extern int __VERIFIER_nondet_int(void);

int main(int argc, char **argv)
{
    char target[40];
    if (argc < 2)
        return 1;
    const char *from = argv[1];
    char *to = target;
    while (*from != '\0' && to < target + sizeof target - 1)
        *to++ = *from++; // PROVED(bounds)
    *to = '\0'; // PROVED(bounds)
    return 0;
}
