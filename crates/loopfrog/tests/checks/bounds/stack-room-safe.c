/* What is asked for is not negative, and behind that nothing is in doubt. */
extern int __VERIFIER_nondet_int(void);
unsigned long strlen(const char *text);
char *strcpy(char *to, const char *from);

static char line[100];

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 1000)
        return 1;
    char *room = __builtin_alloca(length + 1);
    room[length] = 0;
    for (int i = 0; i < 99; i++)
        line[i] = (char)__VERIFIER_nondet_int();
    line[99] = 0;
    char *copy = __builtin_alloca(strlen(line) + 1);
    strcpy(copy, line);
    return copy[0] == line[0] ? 0 : 2;
}
