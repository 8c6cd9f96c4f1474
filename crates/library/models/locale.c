/* <locale.h>. The models of other headers know only the C locale. */

/* Some text of less than so many bytes; the next call changes it. */
static char locale_name[64];

char *setlocale(int category, const char *name) {
    if (name)
        string(name);
    if (__loopfrog_nondet_bool())
        return 0;
    __loopfrog_havoc(locale_name, sizeof locale_name - 1);
    locale_name[sizeof locale_name - 1] = 0;
    return locale_name;
}
