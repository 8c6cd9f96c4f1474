/* <stdlib.h> and <malloc.h>. What ends the program (exit, abort and the like) and atexit have no model: others know them by name. */

typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;

/* ---- memory: there is always enough, but for objects that no memory holds -------------------------------------------------------- */

/* The analysis knows no objects of more than 512 GiB. */
static _Bool is_too_large(size_t n) { return n > (size_t)-1 / 2 >> (sizeof(size_t) == 8 ? 24 : 0); }

static void *allocate(size_t n) {
    if (is_too_large(n)) {
        *__errno_location() = 12;
        return 0;
    }
    return __loopfrog_allocate(n);
}

void *malloc(size_t n) { return allocate(n); }

void *valloc(size_t n) { return allocate(n); }

void *memalign(size_t alignment, size_t n) { return allocate(n); }

void *aligned_alloc(size_t alignment, size_t n) { return allocate(n); }

int posix_memalign(void **place, size_t alignment, size_t n) {
    writable(place, sizeof *place);
    if (is_too_large(n))
        return 12;
    *place = __loopfrog_allocate(n);
    return 0;
}

/* The size of an array; more than any object's if it is beyond all sizes. */
static size_t array_size(size_t count, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? (size_t)-1 : bytes;
}

void *calloc(size_t count, size_t size) {
    size_t bytes = array_size(count, size);
    void *p = allocate(bytes);
    if (p)
        __loopfrog_clear(p, bytes);
    return p;
}

/* A heap object from its start. */
static void allocated(void *p) {
    __loopfrog_assert(__loopfrog_heap(p), "free: this did not come from malloc");
    __loopfrog_assert(__loopfrog_alive(p), "free: this was freed before");
    __loopfrog_assert(__loopfrog_offset(p) == 0, "free: this leads into the middle of an object");
}

void free(void *p) {
    if (p) {
        allocated(p);
        __loopfrog_free(p);
    }
}

void cfree(void *p) { free(p); }

static void *reallocate(void *old, size_t n) {
    if (!old)
        return allocate(n);
    allocated(old);
    if (n == 0) {
        __loopfrog_free(old);
        return 0;
    }
    void *p = allocate(n);
    if (p) {
        __loopfrog_copy(p, old, least(__loopfrog_size(old), n));
        __loopfrog_free(old);
    }
    return p;
}

void *realloc(void *old, size_t n) { return reallocate(old, n); }

void *reallocarray(void *old, size_t count, size_t size) { return reallocate(old, array_size(count, size)); }

/* Approximation: there may be more room than was asked for, but none may be used. */
size_t malloc_usable_size(void *p) {
    if (!p)
        return 0;
    allocated(p);
    return size_between(__loopfrog_size(p), (size_t)-1 / 2);
}

/* ---- numbers from text. Approximation: any number, whatever the text ------------------------------------------------------------------ */

int atoi(const char *s) {
    string(s);
    return __loopfrog_nondet_int();
}

long atol(const char *s) {
    string(s);
    return __loopfrog_nondet_long();
}

long long atoll(const char *s) {
    string(s);
    return __loopfrog_nondet_longlong();
}

double atof(const char *s) {
    string(s);
    return __loopfrog_nondet_double();
}

/* The number ends somewhere in the text; errno may be set. */
static void number_ends(const char *s, char **end) {
    size_t length = size_between(0, string(s));
    if (end) {
        writable(end, sizeof *end);
        *end = (char *)s + length;
    }
    if (__loopfrog_nondet_bool())
        set_errno();
}

/* A wrong base: the text is not looked at. */
static _Bool is_base(int base) {
    if (base == 0 || (base >= 2 && base <= 36))
        return 1;
    set_errno();
    return 0;
}

long strtol(const char *s, char **end, int base) {
    if (!is_base(base))
        return 0;
    number_ends(s, end);
    return __loopfrog_nondet_long();
}

unsigned long strtoul(const char *s, char **end, int base) {
    if (!is_base(base))
        return 0;
    number_ends(s, end);
    return (unsigned long)__loopfrog_nondet_long();
}

long long strtoll(const char *s, char **end, int base) {
    if (!is_base(base))
        return 0;
    number_ends(s, end);
    return __loopfrog_nondet_longlong();
}

unsigned long long strtoull(const char *s, char **end, int base) {
    if (!is_base(base))
        return 0;
    number_ends(s, end);
    return (unsigned long long)__loopfrog_nondet_longlong();
}

long long strtoq(const char *s, char **end, int base) { return strtoll(s, end, base); }

unsigned long long strtouq(const char *s, char **end, int base) { return strtoull(s, end, base); }

long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }

unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

double strtod(const char *s, char **end) {
    number_ends(s, end);
    return __loopfrog_nondet_double();
}

float strtof(const char *s, char **end) {
    number_ends(s, end);
    return __loopfrog_nondet_float();
}

long double strtold(const char *s, char **end) {
    number_ends(s, end);
    return __loopfrog_nondet_longdouble();
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------------------------------- */

int abs(int x) {
    __loopfrog_assert(x != (int)-(unsigned)x || x == 0, "overflow: the absolute value does not fit");
    return x < 0 ? (int)-(unsigned)x : x;
}

long labs(long x) {
    __loopfrog_assert(x != (long)-(unsigned long)x || x == 0, "overflow: the absolute value does not fit");
    return x < 0 ? (long)-(unsigned long)x : x;
}

long long llabs(long long x) {
    __loopfrog_assert(x != (long long)-(unsigned long long)x || x == 0, "overflow: the absolute value does not fit");
    return x < 0 ? (long long)-(unsigned long long)x : x;
}

long long imaxabs(long long x) { return llabs(x); }

div_t div(int a, int b) {
    __loopfrog_assert(b != 0, "division: by zero");
    __loopfrog_assert(b != -1 || a == 0 || a != (int)-(unsigned)a, "overflow: the quotient does not fit");
    div_t result = {a / b, a % b};
    return result;
}

ldiv_t ldiv(long a, long b) {
    __loopfrog_assert(b != 0, "division: by zero");
    __loopfrog_assert(b != -1 || a == 0 || a != (long)-(unsigned long)a, "overflow: the quotient does not fit");
    ldiv_t result = {a / b, a % b};
    return result;
}

lldiv_t lldiv(long long a, long long b) {
    __loopfrog_assert(b != 0, "division: by zero");
    __loopfrog_assert(b != -1 || a == 0 || a != (long long)-(unsigned long long)a, "overflow: the quotient does not fit");
    lldiv_t result = {a / b, a % b};
    return result;
}

/* ---- random numbers: any --------------------------------------------------------------------------------------------------------------- */

int rand(void) { return int_between(0, 2147483647); }

int rand_r(unsigned *seed) {
    readable(seed, sizeof *seed);
    writable(seed, sizeof *seed);
    *seed = (unsigned)__loopfrog_nondet_int();
    return int_between(0, 2147483647);
}

long random(void) { return int_between(0, 2147483647); }

void srand(unsigned seed) {}

void srandom(unsigned seed) {}

double drand48(void) {
    double x = __loopfrog_nondet_double();
    __CPROVER_assume(x >= 0.0 && x < 1.0);
    return x;
}

long lrand48(void) { return int_between(0, 2147483647); }

void srand48(long seed) {}

/* ---- surroundings ------------------------------------------------------------------------------------------------------------------------ */

/* The last value that was given out: what leads to it is not lost. */
static char *environment_value;

/* None, or some string of any length. It does not begin where its object begins, because it may not be freed. */
char *getenv(const char *name) {
    string(name);
    if (__loopfrog_nondet_bool())
        return 0;
    size_t length = text_length();
    environment_value = (char *)__loopfrog_allocate(length + 2) + 1;
    __loopfrog_havoc(environment_value, length);
    environment_value[length] = 0;
    return environment_value;
}

char *secure_getenv(const char *name) { return getenv(name); }

int setenv(const char *name, const char *value, int overwrite) {
    string(name);
    string(value);
    return done_or_failed();
}

int unsetenv(const char *name) {
    string(name);
    return done_or_failed();
}

int system(const char *command) {
    if (command)
        string(command);
    return __loopfrog_nondet_int();
}

/* ---- sorting and searching ---------------------------------------------------------------------------------------------------------------- */

typedef int comparison(const void *, const void *);

/* An array of so many elements can be read and, for sorting, written; its size. */
static size_t array(void *base, size_t count, size_t size) {
    size_t bytes = array_size(count, size);
    readable(base, bytes);
    return bytes;
}

/* For comparison functions that change nothing, so that one call with arbitrary elements stands for all. For others see callback.c.
 * Approximation: the elements are arbitrary afterwards. */
void qsort(void *base, size_t count, size_t size, comparison *compare) {
    if (count == 0 || size == 0)
        return;
    size_t bytes = array(base, count, size);
    writable(base, bytes);
    if (count > 1) {
        size_t i = size_between(0, count - 1), j = size_between(0, count - 1);
        compare((char *)base + i * size, (char *)base + j * size);
    }
    __loopfrog_havoc(base, bytes);
}

/* The same. Approximation: some element or none. */
void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare) {
    if (count == 0)
        return 0;
    array((void *)base, count, size);
    char *element = (char *)base + size_between(0, count - 1) * size;
    return compare(key, element) == 0 ? element : 0;
}
