int nondet(void);

static const char letters[] = "abc";
static int counts[3];

int main(int argc, char **argv) {
    char own[4] = "";
    char *text = argc > 1 ? own : (char *)letters;
    while (nondet()) {
        if (argc > 1)
            text[argc & 3] = (char)nondet(); // PROVED(bounds)
        counts[letters[2] - 'a'] = 1; // PROVED(bounds)
    }
    return 0;
}
