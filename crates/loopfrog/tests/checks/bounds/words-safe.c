/* Loops that go on in a string from where loops around them were. What the inner ones know rests on what is only guessed of the outer ones, and some of
   that does not hold. */
extern int __VERIFIER_nondet_int(void);
static char line[60];
static char word[20];

static void read_line(void)
{
    int i;
    for (i = 0; i < 59; i++) {
        int byte = __VERIFIER_nondet_int();
        if (byte < 0)
            break;
        line[i] = (char)byte;
    }
    line[i] = 0;
}

static int words(void)
{
    int count = 0;
    char *p = line;
    while (*p) {
        while (*p && *p != ' ')
            p++;
        if (*p) {
            p++;
            count++;
        }
    }
    return count;
}

int main(void)
{
    char *to = word;
    int byte = 1;
    read_line();
    if (words() > 1000)
        return 1;
    while (byte) {
        while (to < &word[19] && (byte = __VERIFIER_nondet_int()) > ' ')
            *to++ = (char)byte;
        if (byte == '\n' || to == &word[19])
            to = word;
    }
    *to = 0;
    return 0;
}
