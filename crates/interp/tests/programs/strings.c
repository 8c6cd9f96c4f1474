/* <string.h>, <strings.h>, <ctype.h>. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

static int sign(int x) {
    return (x > 0) - (x < 0);
}

int main(void) {
    char a[64], b[64] = "second";
    char *p;
    strcpy(a, "first");
    printf("%zu %zu %zu %s\n", strlen(a), strnlen(a, 3), strnlen(a, 30), a);
    printf("%s\n", strcat(strcat(a, "+"), b));
    printf("%s\n", strncat(a, "abcdef", 3));
    printf("%d\n", (int)(stpcpy(a, "stp") - a));
    printf("%d %s\n", (int)(stpncpy(a, "stpn", 8) - a), a);
    memset(a, 'x', 16);
    strncpy(a, "abc", 6);
    for (int i = 0; i < 9; i++)
        printf("%d ", a[i]);
    putchar('\n');
    memmove(b + 1, b, 5);
    printf("%.6s\n", b);
    memcpy(a, "copy", 5);
    printf("%s %d\n", a, (int)((char *)mempcpy(a, "mem", 3) - a));
    p = memccpy(a, "up to;here", ';', 10);
    printf("%d %d\n", (int)(p - a), memccpy(a, "none", ';', 4) == NULL);
    printf("%d %d %d\n", sign(memcmp("abc", "abd", 3)), sign(memcmp("abc", "abc", 3)), sign(memcmp("\xff", "\x01", 1)));
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("", ""), sign(strcmp("abc", "ab")));
    printf("%d %d %d\n", sign(strncmp("abcx", "abcy", 3)), sign(strncmp("abcx", "abcy", 4)), strncmp("x", "y", 0));
    printf("%d %d %d\n", strcasecmp("HeLLo", "hEllO"), sign(strncasecmp("HELLx", "helly", 5)), sign(strcoll("x", "y")));
    const char *text = "the quick brown fox the end";
    printf("%s|%s|%d\n", strchr(text, 'q'), strrchr(text, 't'), strchr(text, 'Z') == NULL);
    printf("%d %d %s\n", (int)(strchrnul(text, 'Z') - text), (int)(strchr(text, 0) - text), index(text, 'b'));
    printf("%s|%d|%s\n", strstr(text, "brown"), strstr(text, "cat") == NULL, strcasestr(text, "FOX"));
    printf("%d %d\n", (int)((char *)memchr(text, 'k', 20) - text), memchr(text, 'k', 3) == NULL);
    printf("%d %d\n", (int)((char *)memrchr(text, 't', 27) - text), (int)((char *)memmem(text, 27, "fox", 3) - text));
    printf("%zu %zu %s\n", strspn(text, "eht"), strcspn(text, "q"), strpbrk(text, "xyz"));
    char line[] = ",,one, two;three,;,four";
    for (p = strtok(line, ",; "); p; p = strtok(NULL, ",; "))
        printf("<%s>", p);
    putchar('\n');
    char other[] = "a:b::c", *save;
    for (p = strtok_r(other, ":", &save); p; p = strtok_r(NULL, ":", &save))
        printf("<%s>", p);
    putchar('\n');
    char third[] = "a:b::c", *rest = third;
    while ((p = strsep(&rest, ":")))
        printf("<%s>", p);
    putchar('\n');
    p = strdup("duplicate");
    printf("%s ", p);
    free(p);
    p = strndup("duplicate", 3);
    printf("%s\n", p);
    free(p);
    bzero(a, 4);
    printf("%d %d %d\n", a[0], a[3], bcmp("ab", "ab", 2));
    printf("%d %d %d %d\n", ffs(0), ffs(1), ffs(8), ffsl(1L << 40));
    printf("%s|%s|%s|%s\n", strerror(0), strerror(ENOENT), strerror(ERANGE), strerror(9999));
    printf("%zu\n", strxfrm(a, "transform", sizeof a));
    for (int c = -1; c < 256; c++)
        printf("%d%d%d%d%d%d%d%d%d%d%d%d,%d,%d ", !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c), !!isgraph(c), !!islower(c),
               !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c), tolower(c), toupper(c));
    putchar('\n');
    for (int c = -128; c < 256; c++)
        printf("%x %d %d,", (*__ctype_b_loc())[c], (*__ctype_tolower_loc())[c], (*__ctype_toupper_loc())[c]);
    putchar('\n');
    wchar_t wide[16] = L"wide", copy[16];
    printf("%zu %d %d %d\n", wcslen(wide), wcscmp(wcscpy(copy, wide), wide), (int)(wcschr(wide, L'd') - wide), (int)(wcsstr(wide, L"de") - wide));
    printf("%zu ", mbstowcs(copy, "narrow", 16));
    printf("%zu\n", wcstombs(a, copy, sizeof a));
    printf("%s %zu\n", a, wcslen(wcscat(copy, L"!")));
    return 0;
}
