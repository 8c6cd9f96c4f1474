/* <string.h> and <strings.h>. All in the C locale. */

static unsigned char lower(unsigned char c) { return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 'a' - 'A') : c; }

/* ---- memory ------------------------------------------------------------------------------------------------------------------- */

void *memcpy(void *to, const void *from, size_t n) {
    readable(from, n);
    writable(to, n);
    apart(to, from, n);
    __loopfrog_copy(to, from, n);
    return to;
}

void *mempcpy(void *to, const void *from, size_t n) {
    readable(from, n);
    writable(to, n);
    apart(to, from, n);
    __loopfrog_copy(to, from, n);
    return (char *)to + n;
}

void *memmove(void *to, const void *from, size_t n) {
    readable(from, n);
    writable(to, n);
    __loopfrog_copy(to, from, n);
    return to;
}

void bcopy(const void *from, void *to, size_t n) {
    readable(from, n);
    writable(to, n);
    __loopfrog_copy(to, from, n);
}

void *memccpy(void *to, const void *from, int byte, size_t n) {
    if (n == 0)
        return 0;
    size_t most = least(room(from), n);
    size_t at = __loopfrog_find(from, byte, most);
    __loopfrog_assert(at < most || most == n, "bounds: the library reads outside of the object");
    size_t count = at < most ? at + 1 : most;
    writable(to, count);
    __loopfrog_copy(to, from, count);
    return at < most ? (char *)to + count : 0;
}

void *memset(void *to, int byte, size_t n) {
    writable(to, n);
    __loopfrog_fill(to, byte, n);
    return to;
}

void bzero(void *to, size_t n) {
    writable(to, n);
    __loopfrog_fill(to, 0, n);
}

void explicit_bzero(void *to, size_t n) {
    writable(to, n);
    __loopfrog_fill(to, 0, n);
}

/* Arbitrary but for its sign, which is that of the difference of two bytes. */
static int order(unsigned char a, unsigned char b) {
    int result = __loopfrog_nondet_int();
    __CPROVER_assume(a < b ? result < 0 : result > 0);
    return result;
}

/* Approximation: some difference decides, not always the first; and what is told equal need not be equal between its ends. */
int memcmp(const void *left, const void *right, size_t n) {
    const unsigned char *a = left, *b = right;
    readable(a, n);
    readable(b, n);
    size_t at = size_between(0, n);
    if (at < n) {
        __CPROVER_assume(a[at] != b[at]);
        return order(a[at], b[at]);
    }
    if (n > 0)
        __CPROVER_assume(a[0] == b[0] && a[n - 1] == b[n - 1]);
    return 0;
}

int bcmp(const void *left, const void *right, size_t n) { return memcmp(left, right, n); }

/* Bytes behind the one that is found are not touched. */
static size_t find_byte(const void *s, int byte, size_t n) {
    if (n == 0)
        return 0;
    size_t most = least(room(s), n);
    size_t at = __loopfrog_find(s, byte, most);
    __loopfrog_assert(at < most || most == n, "bounds: the library reads outside of the object");
    return at;
}

void *memchr(const void *s, int byte, size_t n) {
    size_t at = find_byte(s, byte, n);
    return at < n ? (char *)s + at : 0;
}

void *rawmemchr(const void *s, int byte) { return (char *)s + find_byte(s, byte, (size_t)-1); }

/* The last such byte among n, which can be read. */
static char *last_byte(const char *s, int byte, size_t n) {
    if (__loopfrog_find(s, byte, n) == n)
        return 0;
    size_t at = size_between(0, n - 1), rest = n - at - 1;
    __CPROVER_assume(s[at] == (char)byte && __loopfrog_find(s + at + 1, byte, rest) == rest);
    return (char *)s + at;
}

void *memrchr(const void *s, int byte, size_t n) {
    readable(s, n);
    return last_byte(s, byte, n);
}

/* Where one text of n bytes contains another of m bytes. Approximation: only the ends are compared, and it may always be overlooked. */
static char *find_text(const char *s, size_t n, const char *pattern, size_t m, _Bool fold) {
    if (m == 0)
        return (char *)s;
    if (m > n || __loopfrog_nondet_bool())
        return 0;
    size_t at = size_between(0, n - m);
    if (fold)
        __CPROVER_assume(lower(s[at]) == lower(pattern[0]) && lower(s[at + m - 1]) == lower(pattern[m - 1]));
    else
        __CPROVER_assume(s[at] == pattern[0] && s[at + m - 1] == pattern[m - 1]);
    return (char *)s + at;
}

void *memmem(const void *s, size_t n, const void *pattern, size_t m) {
    readable(s, n);
    readable(pattern, m);
    return find_text(s, n, pattern, m, 0);
}

/* ---- length and copies --------------------------------------------------------------------------------------------------------- */

size_t strlen(const char *s) { return string(s); }

size_t strnlen(const char *s, size_t limit) { return string_up_to(s, limit); }

char *strcpy(char *to, const char *from) {
    size_t size = string(from) + 1;
    writable(to, size);
    apart(to, from, size);
    __loopfrog_copy(to, from, size);
    return to;
}

char *stpcpy(char *to, const char *from) {
    size_t size = string(from) + 1;
    writable(to, size);
    apart(to, from, size);
    __loopfrog_copy(to, from, size);
    return to + size - 1;
}

/* Copies at most n bytes and fills the rest of them with zero; how many there were. */
static size_t copy_padded(char *to, const char *from, size_t n) {
    size_t length = string_up_to(from, n);
    writable(to, n);
    apart(to, from, least(length + 1, n));
    __loopfrog_copy(to, from, length);
    __loopfrog_fill(to + length, 0, n - length);
    return length;
}

char *strncpy(char *to, const char *from, size_t n) {
    copy_padded(to, from, n);
    return to;
}

char *stpncpy(char *to, const char *from, size_t n) { return to + copy_padded(to, from, n); }

/* Puts n bytes and a zero byte behind a string. */
static void append(char *to, const char *from, size_t n) {
    writable(to, n + 1);
    apart(to, from, n + 1);
    __loopfrog_copy(to, from, n);
    to[n] = 0;
}

char *strcat(char *to, const char *from) {
    char *end = to + string(to);
    append(end, from, string(from));
    return to;
}

char *strncat(char *to, const char *from, size_t n) {
    char *end = to + string(to);
    append(end, from, string_up_to(from, n));
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = string(from);
    if (size > 0)
        append(to, from, least(length, size - 1));
    return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t length = string(from), start = string_up_to(to, size);
    if (start < size)
        append(to + start, from, least(length, size - start - 1));
    return start + length;
}

size_t strxfrm(char *to, const char *from, size_t size) {
    size_t length = string(from);
    if (length < size)
        append(to, from, length);
    return length;
}

static char *duplicate(const char *s, size_t length) {
    char *copy = __loopfrog_allocate(length + 1);
    __loopfrog_copy(copy, s, length);
    copy[length] = 0;
    return copy;
}

char *strdup(const char *s) { return duplicate(s, string(s)); }

char *strndup(const char *s, size_t n) { return duplicate(s, string_up_to(s, n)); }

/* ---- comparison ------------------------------------------------------------------------------------------------------------------ */

/* Compares up to the first difference, the end of both, or the limit. Approximation: some difference decides, not always the first; and
 * what is told equal has equal length and an equal first byte, but need not be equal between. */
static int compare(const char *left, const char *right, size_t limit, _Bool fold) {
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    if (limit == 0)
        return 0;
    size_t most = least(limit, least(room(a), room(b)));
    size_t m = __loopfrog_find(a, 0, most), n = __loopfrog_find(b, 0, most);
    size_t at = size_between(0, least(m, n));
    __loopfrog_assert(at < most || most == limit, "bounds: strings of which none is terminated are compared beyond their objects");
    if (at < most) {
        unsigned char x = fold ? lower(a[at]) : a[at], y = fold ? lower(b[at]) : b[at];
        if (x != y)
            return order(x, y);
        __CPROVER_assume(x == 0);
    }
    __CPROVER_assume(fold ? lower(a[0]) == lower(b[0]) : a[0] == b[0]);
    return 0;
}

int strcmp(const char *a, const char *b) { return compare(a, b, (size_t)-1, 0); }

int strcoll(const char *a, const char *b) { return compare(a, b, (size_t)-1, 0); }

int strncmp(const char *a, const char *b, size_t n) { return compare(a, b, n, 0); }

int strcasecmp(const char *a, const char *b) { return compare(a, b, (size_t)-1, 1); }

int strncasecmp(const char *a, const char *b, size_t n) { return compare(a, b, n, 1); }

/* ---- search ------------------------------------------------------------------------------------------------------------------------ */

/* The first byte of a string that is this one or ends it. Bytes behind it are not touched. */
static const char *first_byte(const char *s, int byte) {
    size_t most = room(s);
    size_t end = __loopfrog_find(s, 0, most), at = __loopfrog_find(s, byte, most);
    __loopfrog_assert(end < most || at < most, "bounds: the string is not terminated inside its object");
    return s + least(end, at);
}

char *strchr(const char *s, int byte) {
    const char *at = first_byte(s, byte);
    return *at == (char)byte ? (char *)at : 0;
}

char *index(const char *s, int byte) { return strchr(s, byte); }

char *strchrnul(const char *s, int byte) { return (char *)first_byte(s, byte); }

char *strrchr(const char *s, int byte) { return last_byte(s, byte, string(s) + 1); }

char *rindex(const char *s, int byte) { return strrchr(s, byte); }

char *strstr(const char *s, const char *pattern) {
    size_t n = string(s);
    return find_text(s, n, pattern, string(pattern), 0);
}

char *strcasestr(const char *s, const char *pattern) {
    size_t n = string(s);
    return find_text(s, n, pattern, string(pattern), 1);
}

static _Bool contains(const char *set, size_t n, char byte) { return __loopfrog_find(set, byte, n) < n; }

/* How many of n bytes at the start are all inside the set of m bytes, or all outside of it. Approximation: only the first one and the one
 * behind are looked at. */
static size_t span(const char *s, size_t n, const char *set, size_t m, _Bool inside) {
    size_t length = size_between(0, n);
    if (length < n)
        __CPROVER_assume(contains(set, m, s[length]) != inside);
    if (length > 0)
        __CPROVER_assume(contains(set, m, s[0]) == inside);
    return length;
}

size_t strspn(const char *s, const char *set) {
    size_t n = string(s);
    return span(s, n, set, string(set), 1);
}

size_t strcspn(const char *s, const char *set) {
    size_t n = string(s);
    return span(s, n, set, string(set), 0);
}

char *strpbrk(const char *s, const char *set) {
    size_t n = string(s);
    size_t at = span(s, n, set, string(set), 0);
    return at < n ? (char *)s + at : 0;
}

/* The next word from here on; where to look for the one after it goes to `next`. */
static char *token(char *start, const char *separators, char **next) {
    size_t m = string(separators), n = string(start);
    size_t skipped = span(start, n, separators, m, 1);
    char *word = start + skipped;
    if (skipped == n) {
        *next = word;
        return 0;
    }
    size_t length = span(word, n - skipped, separators, m, 0);
    *next = word + length;
    if (skipped + length < n) {
        writable(word + length, 1);
        word[length] = 0;
        *next = word + length + 1;
    }
    return word;
}

static char *next_token;

char *strtok(char *s, const char *separators) { return token(s ? s : next_token, separators, &next_token); }

char *strtok_r(char *s, const char *separators, char **next) {
    readable(next, s ? 0 : sizeof *next);
    writable(next, sizeof *next);
    return token(s ? s : *next, separators, next);
}

char *strsep(char **next, const char *separators) {
    readable(next, sizeof *next);
    writable(next, sizeof *next);
    char *start = *next;
    size_t m = string(separators);
    if (!start)
        return 0;
    size_t n = string(start), length = span(start, n, separators, m, 0);
    *next = 0;
    if (length < n) {
        writable(start + length, 1);
        start[length] = 0;
        *next = start + length + 1;
    }
    return start;
}

/* ---- messages ------------------------------------------------------------------------------------------------------------------------ */

/* Some text of less than so many bytes; the next call changes it. */
static char message[256];

char *strerror(int number) {
    (void)number;
    __loopfrog_havoc(message, sizeof message - 1);
    message[sizeof message - 1] = 0;
    return message;
}

/* The version of GNU: the buffer may be used or not. */
char *strerror_r(int number, char *buffer, size_t size) {
    if (__loopfrog_nondet_bool() || size == 0)
        return strerror(number);
    write_text(buffer, size_between(0, size - 1));
    return buffer;
}

/* The version of POSIX. */
int __xpg_strerror_r(int number, char *buffer, size_t size) {
    (void)number;
    int result = int_between(0, 34);
    if (size > 0)
        write_text(buffer, size_between(0, size - 1));
    return result;
}

/* ---- bits ------------------------------------------------------------------------------------------------------------------------------ */

int ffs(int bits) { return bits ? __builtin_ctz((unsigned)bits) + 1 : 0; }

int ffsl(long bits) { return bits ? __builtin_ctzl((unsigned long)bits) + 1 : 0; }

int ffsll(long long bits) { return bits ? __builtin_ctzll((unsigned long long)bits) + 1 : 0; }
