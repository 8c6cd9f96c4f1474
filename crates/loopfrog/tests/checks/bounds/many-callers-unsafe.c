/* The same with one call that is told of one byte more than there is, so that the final zero does not fit, and one whose failure is not noticed. */
#include <stdio.h>
#include <string.h>

static char text[512];

/* The next field of a line; its length, or -1. */
static int take(const char *from, const char *end, char *to, int room)
{
    char *p = to, *limit = to + room;
    const char *s = from;
    if (room <= 0)
        return -1;
    if (s < end && *s == ';')
        s++;
    while (s < end && *s != ';') {
        if (p + 1 >= limit)
            return -1;
        switch (*s) {
        case '\\':
            if (s + 1 < end)
                s++; // the next one, whatever it is
            *p++ = *s++;
            break;
        case '\t':
            *p++ = ' ';
            s++;
            break;
        case '"':
            *p++ = '\'';
            s++;
            break;
        case '<':
            if (limit - p < 6)
                return -1;
            memcpy(p, "&lt;", 4);
            p += 4;
            s++;
            break;
        case '>':
            if (limit - p < 6)
                return -1;
            memcpy(p, "&gt;", 4);
            p += 4;
            s++;
            break;
        default:
            *p++ = *s++;
        }
    }
    *p = 0; // MAY(bounds)
    return (int)(s - from);
}

int main(void)
{
    char name[33], place[65], date[17], rest[100], first[9], second[9], third[9], fourth[9];
    int n = (int)fread(text, 1, sizeof text, stdin), k, used;
    const char *at = text, *end = text + n;
    if ((k = take(at, end, name, sizeof name)) < 0)
        return 1;
    at += k;
    if ((k = take(at, end, place, sizeof place + 1)) < 0)
        return 1;
    at += k;
    if (take(at, end, date, sizeof date) < 0 || take(at, end, first, sizeof first) < 0 || take(at, end, second, sizeof second) < 0)
        return 1;
    if (take(at, end, third, sizeof third) < 0 || take(at, end, fourth, sizeof fourth) < 0 || take(at, end, rest, 50) < 0)
        return 1;
    used = (int)strlen(rest) + 1;
    if (take(at, end, name, sizeof name) < -1)
        return 1;
    puts(name); // MAY(bounds)
    return (int)(strlen(place) + strlen(date) + strlen(first) + strlen(fourth)); // MAY(bounds)
}
