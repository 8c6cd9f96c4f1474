/* <syslog.h>. What is logged goes outside; see format.c for syslog itself. */

void openlog(const char *name, int options, int facility) {
    if (name)
        string(name);
}

void closelog(void) {}

int setlogmask(int mask) { return __loopfrog_nondet_int(); }
