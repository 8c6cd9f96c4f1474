// program: TERMINATES
int main(void) {
    char s[10] = "abc";
    s[9] = 0;
    int n = 0;
    while (s[n]) // TERMINATES
        n++;
    return n;
}
