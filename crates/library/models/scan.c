/* What calls of the scanf family with a literal format become: one call for the text, one for each conversion, and one for the result.
 *
 * Approximation: what is read is arbitrary, and any conversion may be where reading stops; only the length of strings is that of the text
 * at most. How much standard input is left afterwards is not known: what is read next is arbitrary again.
 *
 * From conversion to conversion a number is handed on: how many have stored something, or, where reading has stopped, -1 less that. */

/* How long a text may be that is read from standard input, from a stream, from a string. */
size_t __loopfrog_scan_input(void) { return text_length(); }

size_t __loopfrog_scan_stream(void *f) {
    stream(f);
    return text_length();
}

size_t __loopfrog_scan_string(const void *s) { return string(s); }

static _Bool goes_on(int state) { return state >= 0 && __loopfrog_nondet_bool(); }
static int stopped(int state) { return state < 0 ? state : -1 - state; }

/* %d, %f and the like: a number of so many bytes. */
int __loopfrog_scan_number(int state, void *to, size_t size) {
    if (!goes_on(state))
        return stopped(state);
    writable(to, size);
    __loopfrog_havoc(to, size);
    return state + 1;
}

/* %n, which is no conversion. */
int __loopfrog_scan_count(int state, void *to, size_t size) {
    if (!goes_on(state))
        return stopped(state);
    writable(to, size);
    __loopfrog_havoc(to, size);
    return state;
}

/* %s and %[, of at most so many bytes. */
int __loopfrog_scan_text(int state, void *to, size_t limit, size_t width) {
    size_t most = least(limit, width);
    if (most == 0 || !goes_on(state))
        return stopped(state);
    write_text(to, size_between(1, most));
    return state + 1;
}

/* %c, so many bytes; fewer where the text ends. */
int __loopfrog_scan_block(int state, void *to, size_t limit, size_t width) {
    size_t most = least(limit, width);
    if (most == 0 || !goes_on(state))
        return stopped(state);
    size_t size = size_between(1, most);
    writable(to, size);
    __loopfrog_havoc(to, size);
    return state + 1;
}

/* The result: how many have stored something, or that the text has ended before. */
int __loopfrog_scan_end(int state) {
    int count = state < 0 ? -1 - state : state;
    if (__loopfrog_nondet_bool())
        set_errno();
    return count == 0 && __loopfrog_nondet_bool() ? -1 : count;
}
