int nondet(void);

static char letters[] = "abc";
static int counts[3];

int main(int argc, char **argv) {
    char own[4] = "";
    char *text = argc > 1 ? own : letters;
    while (nondet()) {
        text[2] = (char)nondet();
        counts[letters[2] - 'a'] = 1; // MAY(bounds)
    }
    return 0;
}
