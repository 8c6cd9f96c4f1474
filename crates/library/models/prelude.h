/* What every model may use. The lines before this one, made for each data model, define size_t, ptrdiff_t, ssize_t.
 *
 * Primitives. They have no body; every part of Loopfrog knows them by name. */
void *__loopfrog_allocate(size_t n);                            /* a new heap object without values; never fails */
void __loopfrog_free(void *p);                                  /* ends the life of a heap object */
void __loopfrog_copy(void *to, const void *from, size_t n);     /* as memmove */
void __loopfrog_fill(void *to, int byte, size_t n);             /* as memset */
void __loopfrog_clear(void *object, size_t n);                  /* all n bytes of an object, from its start on, become 0 */
size_t __loopfrog_find(const void *s, int byte, size_t limit);  /* index of the first such byte, or the limit */
void __loopfrog_havoc(void *p, size_t n);                       /* n bytes take arbitrary values */
int __loopfrog_stdin(void);                                     /* the next byte of the standard input, or -1 at its end */
void __loopfrog_assert(_Bool holds, const char *text);          /* "kind: message"; charged to the line that calls the library */
size_t __loopfrog_size(const void *p);                          /* of the object that the pointer belongs to */
ptrdiff_t __loopfrog_offset(const void *p);                     /* of the pointer from the start of its object */
_Bool __loopfrog_is_null(const void *p);                        /* it belongs to no object */
_Bool __loopfrog_alive(const void *p);                          /* its object exists now */
_Bool __loopfrog_heap(const void *p);                           /* its object was allocated */
_Bool __loopfrog_writable(const void *p);                       /* its object is no constant */
_Bool __loopfrog_same_object(const void *p, const void *q);
_Bool __loopfrog_nondet_bool(void);                             /* arbitrary values */
char __loopfrog_nondet_char(void);
int __loopfrog_nondet_int(void);
long __loopfrog_nondet_long(void);
long long __loopfrog_nondet_longlong(void);
size_t __loopfrog_nondet_size(void);
float __loopfrog_nondet_float(void);
double __loopfrog_nondet_double(void);
long double __loopfrog_nondet_longdouble(void);
void __CPROVER_assume(_Bool holds);                             /* only runs in which this holds go on */
int *__errno_location(void);

typedef struct _IO_FILE FILE;

/* ---- preconditions: what the caller has to see to --------------------------------------------------------------------------- */

/* Null, or close to it: in the first page, which no system gives to a program. */
static _Bool nowhere(const void *p) { return __loopfrog_is_null(p) && (size_t)__loopfrog_offset(p) < 4096; }

/* n bytes can be read from here. */
static void readable(const void *p, size_t n) {
    __loopfrog_assert(n == 0 || !nowhere(p), "null: the library reads through a null pointer");
    __loopfrog_assert(n == 0 || __loopfrog_alive(p), "dangling: the library reads memory that does not exist any more");
    ptrdiff_t offset = __loopfrog_offset(p);
    size_t size = __loopfrog_size(p);
    __loopfrog_assert(n == 0 || (offset >= 0 && (size_t)offset <= size && n <= size - (size_t)offset),
                      "bounds: the library reads outside of the object");
}

/* n bytes can be written from here on. */
static void writable(void *p, size_t n) {
    __loopfrog_assert(n == 0 || !nowhere(p), "null: the library writes through a null pointer");
    __loopfrog_assert(n == 0 || __loopfrog_alive(p), "dangling: the library writes memory that does not exist any more");
    ptrdiff_t offset = __loopfrog_offset(p);
    size_t size = __loopfrog_size(p);
    __loopfrog_assert(n == 0 || (offset >= 0 && (size_t)offset <= size && n <= size - (size_t)offset),
                      "bounds: the library writes outside of the object");
    __loopfrog_assert(n == 0 || __loopfrog_writable(p), "bounds: the library writes to a constant object");
}

/* Nothing is written where it is read. */
static void apart(const void *to, const void *from, size_t n) {
    ptrdiff_t a = __loopfrog_offset(to), b = __loopfrog_offset(from);
    __loopfrog_assert(n == 0 || !__loopfrog_same_object(to, from) || (a < b ? (size_t)b - (size_t)a : (size_t)a - (size_t)b) >= n,
                      "bounds: what is copied overlaps its copy");
}

/* How many bytes there are up to the end of the object; at least one must be there. */
static size_t room(const void *p) {
    readable(p, 1);
    return __loopfrog_size(p) - (size_t)__loopfrog_offset(p);
}

/* A string; its length. */
static size_t string(const char *s) {
    size_t most = room(s);
    size_t length = __loopfrog_find(s, 0, most);
    __loopfrog_assert(length < most, "bounds: the string is not terminated inside its object");
    return length;
}

/* An open stream. */
static void stream(const FILE *f) {
    __loopfrog_assert(!nowhere(f), "null: the stream is a null pointer");
    __loopfrog_assert(__loopfrog_alive(f), "dangling: the stream was closed before");
    __loopfrog_assert(__loopfrog_size(f) - (size_t)__loopfrog_offset(f) == 216, "bounds: this is no open stream");
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* A string of which only the first bytes count, so that it may go on without end; its length, at most the limit. */
static size_t string_up_to(const char *s, size_t limit) {
    if (limit == 0)
        return 0;
    size_t most = least(room(s), limit);
    size_t length = __loopfrog_find(s, 0, most);
    __loopfrog_assert(length < most || most == limit, "bounds: the string is not terminated inside its object");
    return length;
}

/* ---- results ------------------------------------------------------------------------------------------------------------------ */

static size_t size_between(size_t low, size_t high) {
    size_t n = __loopfrog_nondet_size();
    __CPROVER_assume(low <= n && n <= high);
    return n;
}

static int int_between(int low, int high) {
    int n = __loopfrog_nondet_int();
    __CPROVER_assume(low <= n && n <= high);
    return n;
}

/* Something not zero if the condition holds, else zero. */
static int truth(_Bool holds) {
    int n = __loopfrog_nondet_int();
    __CPROVER_assume((n != 0) == holds);
    return n;
}

/* A function that failed says why: never with 0. */
static void set_errno(void) {
    int number = __loopfrog_nondet_int();
    __CPROVER_assume(number > 0);
    *__errno_location() = number;
}

/* 0, or -1 with an error number. */
static int done_or_failed(void) {
    if (__loopfrog_nondet_bool())
        return 0;
    set_errno();
    return -1;
}

/* So many arbitrary bytes and a zero byte behind them. */
static void write_text(char *to, size_t n) {
    writable(to, n + 1);
    __loopfrog_havoc(to, n);
    to[n] = 0;
}

/* How long a text can be that comes from outside: less than 2 GiB. */
static size_t text_length(void) { return size_between(0, 2147483645); }

/* A text from outside in an object of its own. */
static char *new_text(void) {
    size_t length = text_length();
    char *text = __loopfrog_allocate(length + 1);
    write_text(text, length);
    return text;
}

/* The same for functions whose next call takes back what the last one gave. The object is kept in this place. */
static char *renewed_text(char **place) {
    if (*place)
        __loopfrog_free(*place);
    *place = new_text();
    return *place;
}
