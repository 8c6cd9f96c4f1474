/* The scanf family and character input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void numbers(void) {
    int d = 0, i = 0, n = 0, r;
    unsigned u = 0, x = 0, o = 0;
    long l = 0;
    long long ll = 0;
    short h = 0;
    signed char hh = 0;
    r = sscanf("  42 -7 0x1F 017 ff 99999 123456789012 77", "%d%i%i%i%x%u%lld%o", &d, &i, &n, (int *)&u, &x, &o, &ll, &o);
    printf("%d: %d %d %d %u %x %lld %o\n", r, d, i, n, u, x, ll, o);
    r = sscanf("300 70000 9999999999999999999999 -1", "%hhd %hd %ld %u", &hh, &h, &l, &u);
    printf("%d: %d %d %ld %u\n", r, hh, h, l, u);
    r = sscanf("123456", "%3d%n%2d", &d, &n, &i);
    printf("%d: %d %d %d\n", r, d, n, i);
    r = sscanf("0x", "%x%n", &x, &n);
    printf("%d: %x\n", r, x);
    r = sscanf("12abc", "%d%d", &d, &i);
    printf("%d: %d\n", r, d);
    printf("%d %d %d %d\n", sscanf("", "%d", &d), sscanf("   ", "%d", &d), sscanf("x", "%d", &d), sscanf("-", "%d", &d));
    r = sscanf("1,2;3", "%d,%d,%d", &d, &i, &n);
    printf("%d: %d %d\n", r, d, i);
    r = sscanf("5 % 6", "%d %% %d", &d, &i);
    printf("%d: %d %d\n", r, d, i);
    r = sscanf("1 2 3", "%*d %d %*d", &d);
    printf("%d: %d\n", r, d);
}

static void floats(void) {
    float f = 0;
    double a = 0, b = 0, c = 0;
    long double e = 0;
    int r = sscanf("3.25 -1e3 .5 0x1.8p1 1e-2000", "%f%lf%lg%le%Lf", &f, &a, &b, &c, &e);
    printf("%d: %g %g %g %g %Lg\n", r, f, a, b, c, e);
    r = sscanf("inf -nan 12.5x", "%lf %lf %4lf", &a, &b, &c);
    printf("%d: %g %g %g\n", r, a, b, c);
    r = sscanf("1.5e", "%lf", &a);
    printf("%d: %g\n", r, a);
    r = sscanf("e5", "%lf", &a);
    printf("%d\n", r);
}

static void texts(void) {
    char a[32], b[32], c[4] = "zzz";
    int r = sscanf("hello world", "%s %3s%c", a, b, c);
    printf("%d: %s %s %c\n", r, a, b, c[0]);
    r = sscanf("abc123]x-y", "%[a-z]%[0-9]%[]]%[^]]", a, b, c, a + 16);
    printf("%d: %s %s %s %s\n", r, a, b, c, a + 16);
    r = sscanf("key=value", "%[^=]=%s", a, b);
    printf("%d: %s %s\n", r, a, b);
    r = sscanf("ab", "%3c", c);
    printf("%d: %c%c%c\n", r, c[0], c[1], c[2]);
    r = sscanf("123", "%[a-z]", a);
    printf("%d\n", r);
    char *made = NULL;
    r = sscanf("allocated text", "%ms", &made);
    printf("%d: %s\n", r, made);
    free(made);
}

int main(void) {
    numbers();
    floats();
    texts();
    int a = 0, b = 0, c;
    char word[16], line[32];
    printf("%d", scanf("%d %d", &a, &b));
    printf(" %d %d\n", a, b);
    printf("%d", scanf("%15s", word));
    printf(" %s\n", word);
    c = getchar();
    printf("%d\n", c);
    printf("%s", fgets(line, sizeof line, stdin));
    printf("[%s]\n", fgets(line, 5, stdin));
    c = getc(stdin);
    ungetc('!', stdin);
    printf("%c %c\n", c, fgetc(stdin));
    char *text = NULL;
    size_t room = 0;
    long length = getline(&text, &room, stdin);
    printf("%ld %d %s", length, room > 0, text);
    free(text);
    char block[8];
    size_t items = fread(block, 2, 4, stdin);
    printf("%zu %.*s\n", items, (int)(2 * items), block);
    while ((c = getchar()) != EOF)
        putchar(c);
    printf("%d %d %d\n", feof(stdin) != 0, ferror(stdin), getchar());
    printf("%d\n", scanf("%d", &a));
    return 0;
}
