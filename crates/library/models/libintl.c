/* <libintl.h>. A translation is the text itself or another one; that it takes the same arguments, if it is a format, is taken for granted. */

static char *translation;

/* It does not begin where its object begins, because it may not be freed. */
static char *other_text(void) {
    size_t length = text_length();
    translation = (char *)__loopfrog_allocate(length + 2) + 1;
    write_text(translation, length);
    return translation;
}

static char *translated(const char *text) {
    if (!text)
        return 0;
    string(text);
    return __loopfrog_nondet_bool() ? (char *)text : other_text();
}

char *gettext(const char *text) { return translated(text); }

char *dgettext(const char *domain, const char *text) { return translated(text); }

char *dcgettext(const char *domain, const char *text, int category) { return translated(text); }

char *ngettext(const char *one, const char *many, unsigned long count) { return translated(count == 1 ? one : many); }

char *dngettext(const char *domain, const char *one, const char *many, unsigned long count) { return ngettext(one, many, count); }

char *dcngettext(const char *domain, const char *one, const char *many, unsigned long count, int category) {
    return ngettext(one, many, count);
}

/* What was set, now or before, or nothing. */
static char *name_of(const char *name) {
    if (name)
        string(name);
    return __loopfrog_nondet_bool() ? 0 : other_text();
}

char *textdomain(const char *domain) { return name_of(domain); }

char *bindtextdomain(const char *domain, const char *folder) { return name_of(folder); }

char *bind_textdomain_codeset(const char *domain, const char *codeset) { return name_of(codeset); }
