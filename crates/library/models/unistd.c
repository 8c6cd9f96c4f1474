/* <unistd.h>, <fcntl.h>, <sys/stat.h>, <utime.h>. Files are outside: what they say and whether something works is arbitrary. fork, exec and their like
 * have no model. */

static int descriptor_or_failed(void) {
    int number = __loopfrog_nondet_int();
    __CPROVER_assume(number >= -1);
    if (number == -1)
        set_errno();
    return number;
}

/* At most so many, or -1 with an error number. */
static ssize_t count_or_failed(size_t n) {
    ssize_t count = (ssize_t)__loopfrog_nondet_size();
    __CPROVER_assume(count == -1 || (count >= 0 && (size_t)count <= n));
    if (count == -1)
        set_errno();
    return count;
}

ssize_t read(int number, void *to, size_t n) {
    writable(to, n);
    ssize_t count = count_or_failed(n);
    if (count > 0)
        __loopfrog_havoc(to, (size_t)count);
    return count;
}

ssize_t write(int number, const void *from, size_t n) {
    readable(from, n);
    return count_or_failed(n);
}

int open(const char *name, int flags, ...) {
    string(name);
    return descriptor_or_failed();
}

int open64(const char *name, int flags, ...) {
    string(name);
    return descriptor_or_failed();
}

int creat(const char *name, unsigned mode) {
    string(name);
    return descriptor_or_failed();
}

int dup(int number) { return descriptor_or_failed(); }

int dup2(int number, int other) { return descriptor_or_failed(); }

int pipe(int *numbers) {
    writable(numbers, 2 * sizeof *numbers);
    if (done_or_failed() != 0)
        return -1;
    numbers[0] = int_between(0, 2147483647);
    numbers[1] = int_between(0, 2147483647);
    return 0;
}

int close(int number) { return done_or_failed(); }

int fsync(int number) { return done_or_failed(); }

long lseek(int number, long offset, int whence) {
    long at = __loopfrog_nondet_long();
    __CPROVER_assume(at >= -1);
    if (at == -1)
        set_errno();
    return at;
}

int access(const char *name, int mode) {
    string(name);
    return done_or_failed();
}

int unlink(const char *name) {
    string(name);
    return done_or_failed();
}

int rmdir(const char *name) {
    string(name);
    return done_or_failed();
}

int mkdir(const char *name, unsigned mode) {
    string(name);
    return done_or_failed();
}

int chmod(const char *name, unsigned mode) {
    string(name);
    return done_or_failed();
}

int chown(const char *name, unsigned owner, unsigned group) {
    string(name);
    return done_or_failed();
}

int utime(const char *name, const void *times) {
    string(name);
    if (times)
        readable(times, 2 * sizeof(long));
    return done_or_failed();
}

struct stat;

/* As Linux has it. */
static int write_status(struct stat *to) {
    size_t size = sizeof(size_t) == 8 ? 144 : 88;
    writable(to, size);
    if (done_or_failed() != 0)
        return -1;
    __loopfrog_havoc(to, size);
    return 0;
}

int stat(const char *name, struct stat *to) {
    string(name);
    return write_status(to);
}

int lstat(const char *name, struct stat *to) {
    string(name);
    return write_status(to);
}

int fstat(int number, struct stat *to) { return write_status(to); }

int chdir(const char *name) {
    string(name);
    return done_or_failed();
}

/* Without a buffer it is a new object. */
char *getcwd(char *to, size_t size) {
    if (to) {
        writable(to, size);
        __loopfrog_havoc(to, size);
    }
    if (__loopfrog_nondet_bool()) {
        set_errno();
        return 0;
    }
    if (!to) {
        size_t length = text_length();
        __CPROVER_assume(length > 0 && (size == 0 || length < size));
        to = __loopfrog_allocate(size == 0 ? length + 1 : size);
        write_text(to, length);
        return to;
    }
    __CPROVER_assume(size > 1);
    write_text(to, size_between(1, size - 1));
    return to;
}

/* Not terminated. */
ssize_t readlink(const char *name, char *to, size_t size) {
    string(name);
    writable(to, size);
    ssize_t count = count_or_failed(size);
    if (count > 0)
        __loopfrog_havoc(to, (size_t)count);
    return count;
}

int symlink(const char *name, const char *other) {
    string(name);
    string(other);
    return done_or_failed();
}

int link(const char *name, const char *other) {
    string(name);
    string(other);
    return done_or_failed();
}

int truncate(const char *name, long length) {
    string(name);
    return done_or_failed();
}

int ftruncate(int number, long length) { return done_or_failed(); }

unsigned umask(unsigned mode) { return (unsigned)int_between(0, 511); }

int setuid(unsigned user) { return done_or_failed(); }

int seteuid(unsigned user) { return done_or_failed(); }

int setgid(unsigned group) { return done_or_failed(); }

int setegid(unsigned group) { return done_or_failed(); }

int setreuid(unsigned user, unsigned effective) { return done_or_failed(); }

int setregid(unsigned group, unsigned effective) { return done_or_failed(); }

/* A name that is too long is cut, and then perhaps not terminated. */
int gethostname(char *to, size_t size) {
    writable(to, size);
    __loopfrog_havoc(to, size);
    return done_or_failed();
}

int isatty(int number) {
    if (__loopfrog_nondet_bool())
        return 1;
    set_errno();
    return 0;
}

int getpid(void) { return int_between(1, 2147483647); }

int getppid(void) { return int_between(0, 2147483647); }

unsigned getuid(void) { return (unsigned)__loopfrog_nondet_int(); }

unsigned geteuid(void) { return (unsigned)__loopfrog_nondet_int(); }

unsigned getgid(void) { return (unsigned)__loopfrog_nondet_int(); }

unsigned getegid(void) { return (unsigned)__loopfrog_nondet_int(); }

unsigned sleep(unsigned seconds) {
    unsigned left = (unsigned)__loopfrog_nondet_int();
    __CPROVER_assume(left <= seconds);
    return left;
}

int usleep(unsigned microseconds) { return done_or_failed(); }

unsigned alarm(unsigned seconds) { return (unsigned)__loopfrog_nondet_int(); }

int sched_yield(void) { return done_or_failed(); }
