// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
static char *last(const char *s, int c) {
    const char *found = 0;
    for (;; ++s) { // TERMINATES
        if (*s == (char)c)
            found = s;
        if (!*s)
            return (char *)found;
    }
}
int main(void) {
    char path[100];
    for (int i = 0; i < 99; i++) // TERMINATES
        path[i] = __VERIFIER_nondet_int();
    path[99] = 0;
    char *slash;
    while ((slash = last(path, '/')) != 0 && slash != path) // TERMINATES
        *slash = '\0';
    return 0;
}
