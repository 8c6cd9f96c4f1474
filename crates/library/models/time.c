/* <time.h> and <sys/time.h>. What time it is, is arbitrary. */

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

struct timeval {
    long tv_sec;
    long tv_usec;
};

struct timespec {
    long tv_sec;
    long tv_nsec;
};

long time(long *place) {
    long now = __loopfrog_nondet_long();
    if (now == -1)
        set_errno();
    if (place) {
        writable(place, sizeof *place);
        *place = now;
    }
    return now;
}

long clock(void) { return __loopfrog_nondet_long(); }

double difftime(long end, long start) {
    unsigned long a = (unsigned long)end, b = (unsigned long)start;
    return end < start ? -(double)(b - a) : (double)(a - b);
}

static long fraction(long units) {
    long n = __loopfrog_nondet_long();
    __CPROVER_assume(n >= 0 && n < units);
    return n;
}

int gettimeofday(struct timeval *now, void *zone) {
    if (now) {
        writable(now, sizeof *now);
        now->tv_sec = __loopfrog_nondet_long();
        now->tv_usec = fraction(1000000);
    }
    if (zone) {
        writable(zone, 2 * sizeof(int));
        __loopfrog_havoc(zone, 2 * sizeof(int));
    }
    return done_or_failed();
}

int clock_gettime(int clock_number, struct timespec *now) {
    writable(now, sizeof *now);
    if (done_or_failed() != 0)
        return -1;
    now->tv_sec = __loopfrog_nondet_long();
    now->tv_nsec = fraction(1000000000);
    return 0;
}

int timespec_get(struct timespec *now, int base) {
    writable(now, sizeof *now);
    now->tv_sec = __loopfrog_nondet_long();
    now->tv_nsec = fraction(1000000000);
    return __loopfrog_nondet_bool() ? base : 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    readable(wanted, sizeof *wanted);
    if (done_or_failed() == 0)
        return 0;
    if (left) {
        writable(left, sizeof *left);
        left->tv_sec = __loopfrog_nondet_long();
        left->tv_nsec = fraction(1000000000);
    }
    return -1;
}

static char zone[8];

/* A date. */
static void set_date(struct tm *date) {
    date->tm_sec = int_between(0, 60);
    date->tm_min = int_between(0, 59);
    date->tm_hour = int_between(0, 23);
    date->tm_mday = int_between(1, 31);
    date->tm_mon = int_between(0, 11);
    date->tm_year = __loopfrog_nondet_int();
    date->tm_wday = int_between(0, 6);
    date->tm_yday = int_between(0, 365);
    date->tm_isdst = __loopfrog_nondet_int();
    date->tm_gmtoff = __loopfrog_nondet_long();
    __loopfrog_havoc(zone, sizeof zone - 1);
    date->tm_zone = zone;
}

static struct tm last_date;

static struct tm *date_or_failed(const long *when, struct tm *date) {
    readable(when, sizeof *when);
    if (__loopfrog_nondet_bool()) {
        set_errno();
        return 0;
    }
    set_date(date);
    return date;
}

struct tm *localtime(const long *when) { return date_or_failed(when, &last_date); }

struct tm *gmtime(const long *when) { return date_or_failed(when, &last_date); }

struct tm *localtime_r(const long *when, struct tm *date) {
    writable(date, sizeof *date);
    return date_or_failed(when, date);
}

struct tm *gmtime_r(const long *when, struct tm *date) {
    writable(date, sizeof *date);
    return date_or_failed(when, date);
}

long mktime(struct tm *date) {
    readable(date, sizeof *date);
    writable(date, sizeof *date);
    long when = __loopfrog_nondet_long();
    if (when == -1)
        set_errno();
    set_date(date);
    return when;
}

size_t strftime(char *to, size_t size, const char *format, const struct tm *date) {
    string(format);
    readable(date, sizeof *date);
    writable(to, size);
    if (size == 0)
        return 0;
    size_t length = size_between(0, size - 1);
    if (length > 0 || __loopfrog_nondet_bool())
        write_text(to, length);
    else
        __loopfrog_havoc(to, size);
    return length;
}

/* Some text of less than so many bytes; the next call changes it. */
static char date_text[64];

static char *text_or_failed(void) {
    if (__loopfrog_nondet_bool())
        return 0;
    __loopfrog_havoc(date_text, sizeof date_text - 1);
    date_text[sizeof date_text - 1] = 0;
    return date_text;
}

char *asctime(const struct tm *date) {
    readable(date, sizeof *date);
    return text_or_failed();
}

char *ctime(const long *when) {
    readable(when, sizeof *when);
    return text_or_failed();
}
