/* What calls of the printf family with a literal format become: one call for each conversion, which checks its argument and adds the
 * length of its text, and one for the whole. The arguments themselves were evaluated before.
 *
 * Approximation: the text is arbitrary, but for its length and, where no character was printed that may be zero, the absence of zero
 * bytes. */

/* `count` and the length of a text of so many bytes in a field of some width. */
static size_t padded(size_t count, size_t length, int width) {
    size_t field = width < 0 ? (size_t)-(long long)width : (size_t)width;
    return count + (length < field ? field : length);
}

/* %s, of which at most `precision` bytes are printed; all of them if that is negative. */
size_t __loopfrog_print_string(size_t count, const void *s, int width, int precision) {
    if (precision < 0)
        return padded(count, string(s), width);
    return padded(count, string_up_to(s, (size_t)precision), width);
}

/* %c */
size_t __loopfrog_print_character(size_t count, int width) { return padded(count, 1, width); }

static size_t digits(unsigned long long n) {
    return n < 10u ? 1
         : n < 100u ? 2
         : n < 1000u ? 3
         : n < 10000u ? 4
         : n < 100000u ? 5
         : n < 1000000u ? 6
         : n < 10000000u ? 7
         : n < 100000000u ? 8
         : n < 1000000000ull ? 9
         : n < 10000000000ull ? 10
         : n < 100000000000ull ? 11
         : n < 1000000000000ull ? 12
         : n < 10000000000000ull ? 13
         : n < 100000000000000ull ? 14
         : n < 1000000000000000ull ? 15
         : n < 10000000000000000ull ? 16
         : n < 100000000000000000ull ? 17
         : n < 1000000000000000000ull ? 18
         : n < 10000000000000000000ull ? 19
         : 20;
}

/* %d */
size_t __loopfrog_print_signed(size_t count, long long n, int width) {
    return padded(count, n < 0 ? 1 + digits(-(unsigned long long)n) : digits((unsigned long long)n), width);
}

/* %u */
size_t __loopfrog_print_unsigned(size_t count, unsigned long long n, int width) { return padded(count, digits(n), width); }

/* A number that needs between so many bytes. */
size_t __loopfrog_print_number(size_t count, size_t low, size_t high, int width) {
    return padded(count, size_between(low, high), width);
}

/* The same with a precision that is not known before. */
size_t __loopfrog_print_precise(size_t count, size_t low, size_t high, int width, int precision) {
    return padded(count, size_between(low, high + (precision < 0 ? 6 : (size_t)precision)), width);
}

/* %n, to an integer of so many bytes. */
void __loopfrog_print_count(void *to, size_t size) {
    writable(to, size);
    __loopfrog_havoc(to, size);
}

/* The result of all: too long a text is an error. */
static int printed(size_t count) {
    if (count <= 2147483647)
        return (int)count;
    set_errno();
    return -1;
}

/* printf */
int __loopfrog_print(size_t count) {
    if (__loopfrog_nondet_bool())
        return printed(count);
    set_errno();
    return -1;
}

/* fprintf */
int __loopfrog_print_stream(void *f, size_t count) {
    stream(f);
    return __loopfrog_print(count);
}

/* A text without zero bytes. */
static void print_text(char *to, size_t n, _Bool text) {
    write_text(to, n);
    if (text)
        __CPROVER_assume(__loopfrog_find(to, 0, n) == n);
}

/* sprintf */
int __loopfrog_print_buffer(void *to, size_t count, _Bool text) {
    print_text(to, count, text);
    return printed(count);
}

/* snprintf */
int __loopfrog_print_bounded(void *to, size_t size, size_t count, _Bool text) {
    if (size > 0)
        print_text(to, least(count, size - 1), text);
    return printed(count);
}

/* asprintf; if it fails, what the pointer is says nobody */
int __loopfrog_print_new(void *place, size_t count, _Bool text) {
    writable(place, sizeof(char *));
    int result = printed(count);
    if (result < 0 || __loopfrog_nondet_bool()) {
        if (__loopfrog_nondet_bool())
            *(char **)place = 0;
        return -1;
    }
    char *to = __loopfrog_allocate(count + 1);
    print_text(to, count, text);
    *(char **)place = to;
    return result;
}

/* sprintf and snprintf of nothing but a string, of which at most so many bytes are taken with the zero byte. */
int __loopfrog_print_copy(void *to, size_t size, const void *from) {
    size_t length = string(from);
    if (size > 0) {
        size_t n = least(length, size - 1);
        writable(to, n + 1);
        __loopfrog_copy(to, from, n);
        ((char *)to)[n] = 0;
    }
    return printed(length);
}

/* The printf family with a format that is not literal: only that it is a string. */
void __loopfrog_print_format(const void *format) { string(format); }
