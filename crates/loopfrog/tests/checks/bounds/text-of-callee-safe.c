/* A string that only a function knows which the loop calls. */
unsigned long strlen(const char *text);
char *strncat(char *to, const char *from, unsigned long most);
extern int __VERIFIER_nondet_int(void);

static char path[64] = "/";

static void append(const char *name)
{
    if (sizeof path - strlen(path) > 1)
        strncat(path, name, sizeof path - strlen(path) - 1);
}

int main(void)
{
    char name[10];
    while (__VERIFIER_nondet_int()) {
        for (int i = 0; i < 9; i++)
            name[i] = (char)__VERIFIER_nondet_int();
        name[9] = 0;
        append(name);
    }
    return 0;
}
