// program: DIVERGES
// The input may have as many brackets as it likes.
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned depth;
static unsigned parse(unsigned position) {
    depth++;
    unsigned value = position;
    if (__VERIFIER_nondet_uint() == '(')
        value = parse(position + 1);
    depth--;
    return value;
}
int main(void) {
    return parse(0) % 2;
}
