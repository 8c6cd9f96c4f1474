/* <stdio.h> without formats. Input that does not come byte by byte is arbitrary, whatever it comes from; output is forgotten.
 * The scanf family has no model: others know it by name. For the printf family see format.c. */

/* glibc's streams have 216 bytes; nobody looks into them. One that was opened does not begin where its object begins, because it may
 * not be freed. */
static char standard_input[216], standard_output[216], standard_error[216];

FILE *stdin = (FILE *)standard_input;
FILE *stdout = (FILE *)standard_output;
FILE *stderr = (FILE *)standard_error;

/* ---- files ---------------------------------------------------------------------------------------------------------------------- */

static FILE *new_stream(void) { return (FILE *)((char *)__loopfrog_allocate(16 + 216) + 16); }

/* A stream, or none with an error number. */
static FILE *stream_or_failed(void) {
    if (__loopfrog_nondet_bool())
        return new_stream();
    set_errno();
    return 0;
}

FILE *fopen(const char *name, const char *mode) {
    string(name);
    string(mode);
    return stream_or_failed();
}

FILE *fopen64(const char *name, const char *mode) { return fopen(name, mode); }

FILE *fdopen(int number, const char *mode) {
    string(mode);
    return stream_or_failed();
}

FILE *tmpfile(void) { return stream_or_failed(); }

/* Closing a standard stream twice is not noticed. */
int fclose(FILE *f) {
    stream(f);
    if (__loopfrog_heap(f))
        __loopfrog_free((char *)f - __loopfrog_offset(f));
    return done_or_failed();
}

int fflush(FILE *f) {
    if (f)
        stream(f);
    return done_or_failed();
}

int remove(const char *name) {
    string(name);
    return done_or_failed();
}

int rename(const char *from, const char *to) {
    string(from);
    string(to);
    return done_or_failed();
}

int feof(FILE *f) {
    stream(f);
    return __loopfrog_nondet_int();
}

int ferror(FILE *f) {
    stream(f);
    return __loopfrog_nondet_int();
}

void clearerr(FILE *f) { stream(f); }

int fileno(FILE *f) {
    stream(f);
    return int_between(0, 2147483647);
}

int fseek(FILE *f, long offset, int whence) {
    stream(f);
    return done_or_failed();
}

long ftell(FILE *f) {
    stream(f);
    long at = __loopfrog_nondet_long();
    __CPROVER_assume(at >= -1);
    if (at == -1)
        set_errno();
    return at;
}

void rewind(FILE *f) { stream(f); }

/* A stream may use the buffer at any later time. */
static void use_buffer(FILE *f, char *buffer) {
    stream(f);
    if (buffer)
        __asm__("a stream with a buffer of the program");
}

void setbuf(FILE *f, char *buffer) { use_buffer(f, buffer); }

int setvbuf(FILE *f, char *buffer, int mode, size_t size) {
    use_buffer(f, buffer);
    return truth(__loopfrog_nondet_bool());
}

void setlinebuf(FILE *f) { stream(f); }

void flockfile(FILE *f) { stream(f); }

void funlockfile(FILE *f) { stream(f); }

/* ---- output ------------------------------------------------------------------------------------------------------------------------ */

static int written_or_failed(int result) {
    if (__loopfrog_nondet_bool())
        return result;
    set_errno();
    return -1;
}

int puts(const char *s) {
    string(s);
    return written_or_failed(int_between(0, 2147483647));
}

int fputs(const char *s, FILE *f) {
    string(s);
    stream(f);
    return written_or_failed(int_between(0, 2147483647));
}

int putchar(int byte) { return written_or_failed((unsigned char)byte); }

int fputc(int byte, FILE *f) {
    stream(f);
    return written_or_failed((unsigned char)byte);
}

int putc(int byte, FILE *f) { return fputc(byte, f); }

int _IO_putc(int byte, FILE *f) { return fputc(byte, f); }

/* The size of an array; more than any object's if it is beyond all sizes. */
static size_t array_size(size_t size, size_t count) {
    size_t bytes;
    return __builtin_mul_overflow(size, count, &bytes) ? (size_t)-1 : bytes;
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *f) {
    stream(f);
    readable(from, array_size(size, count));
    if (size == 0 || count == 0)
        return 0;
    size_t written = size_between(0, count);
    if (written < count)
        set_errno();
    return written;
}

void perror(const char *s) {
    if (s)
        string(s);
}

/* ---- input: bytes ------------------------------------------------------------------------------------------------------------------ */

int getchar(void) { return __loopfrog_stdin(); }

/* Standard input through another pointer than its own is arbitrary, which is right as well. */
int fgetc(FILE *f) {
    stream(f);
    return f == stdin ? __loopfrog_stdin() : int_between(-1, 255);
}

int getc(FILE *f) { return fgetc(f); }

int _IO_getc(FILE *f) { return fgetc(f); }

/* Approximation: the byte may come back or not. What is read from standard input afterwards is a new byte, which may be the same. */
int ungetc(int byte, FILE *f) {
    stream(f);
    return byte == -1 || __loopfrog_nondet_bool() ? -1 : (unsigned char)byte;
}

/* ---- input: more than a byte -------------------------------------------------------------------------------------------------------- */

/* A line of any length. */
char *gets(char *to) {
    if (__loopfrog_nondet_bool())
        return 0;
    write_text(to, size_between(0, (size_t)-1 / 2 - 1));
    return to;
}

/* Approximation: zero bytes may be among those that are read, and a new line need not be the last of them. */
char *fgets(char *to, int size, FILE *f) {
    stream(f);
    if (size <= 0)
        return 0;
    writable(to, (size_t)size);
    if (size > 1 && __loopfrog_nondet_bool())
        return 0;
    size_t length = size_between(size > 1, (size_t)size - 1);
    write_text(to, length);
    return to;
}

/* The last element that is not told as read may be there in part. */
size_t fread(void *to, size_t size, size_t count, FILE *f) {
    stream(f);
    size_t bytes = array_size(size, count);
    writable(to, bytes);
    size_t taken = size_between(0, bytes);
    __loopfrog_havoc(to, taken);
    return size == 0 ? 0 : taken / size;
}

/* A line goes to memory that grows with it. The object is a new one if there was not enough room, and perhaps if there was. */
static ssize_t get_line(char **place, size_t *room_place, FILE *f) {
    readable(place, sizeof *place);
    writable(place, sizeof *place);
    readable(room_place, sizeof *room_place);
    writable(room_place, sizeof *room_place);
    stream(f);
    if (__loopfrog_nondet_bool())
        return -1;
    size_t length = text_length();
    __CPROVER_assume(length > 0);
    if (!*place || *room_place <= length) {
        if (*place) {
            __loopfrog_assert(__loopfrog_heap(*place), "free: this did not come from malloc");
            __loopfrog_assert(__loopfrog_alive(*place), "free: this was freed before");
            __loopfrog_assert(__loopfrog_offset(*place) == 0, "free: this leads into the middle of an object");
            __loopfrog_free(*place);
        }
        *room_place = size_between(length + 1, 2147483647);
        *place = __loopfrog_allocate(*room_place);
    }
    write_text(*place, length);
    return (ssize_t)length;
}

ssize_t getline(char **place, size_t *room_place, FILE *f) { return get_line(place, room_place, f); }

ssize_t getdelim(char **place, size_t *room_place, int separator, FILE *f) { return get_line(place, room_place, f); }
