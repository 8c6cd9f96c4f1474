/* Messages with a format, at second hand: what is printed is known from the callers. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static int lines;

static void note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list); // PROVED(bounds)
    va_end(list);
    lines++;
}

static void text(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsprintf(to, format, list); // PROVED(bounds)
    va_end(list);
}

int main(void)
{
    char name[8], line[24];
    int table[4] = { 1, 2, 3, 4 };
    int *p = table;
    for (int i = 0; i < 4; i++) {
        name[i] = 'a';
        name[i + 1] = 0;
        note("number %d\n", p[i]); // PROVED(bounds)
        text(line, "%.7s=%d", name, p[i]);
        note("%s\n", line);
    }
    return line[strlen(line)]; // PROVED(bounds)
}
