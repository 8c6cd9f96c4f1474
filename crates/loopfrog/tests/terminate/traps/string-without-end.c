// The bytes behind the first eight are never looked at: that there is no 0 among those that are is no reason to end.
// program: NOT(terminates)
extern int __VERIFIER_nondet_int(void);
static int length(const char *s, int most) {
    int n = 0;
    while (n < most && s[n])
        n++;
    return n;
}
int main(void) {
    char text[16];
    for (int i = 0; i < 16; i++)
        text[i] = __VERIFIER_nondet_int();
    while (length(text, 8) == 8) // NOT(terminates)
        text[8 + (__VERIFIER_nondet_int() & 7)] = 0;
    return 0;
}
