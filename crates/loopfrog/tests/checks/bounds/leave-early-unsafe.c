/* A function that returns from the middle of its loop. */
extern int __VERIFIER_nondet_int(void);

static int position(const char *text, int size, char wanted)
{
    for (int i = 0; i < size; i++) {
        if (text[i] == wanted) // MAY(bounds)
            return i;
    }
    return -1;
}

int main(void)
{
    char line[48] = "key=value";
    int at = position(line, 50, (char)__VERIFIER_nondet_int());
    if (at >= 0)
        line[at] = '\0';
    return 0;
}
