/* Numbers from text: the strtol and strtod families. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void integer(const char *text, int base) {
    char *end;
    errno = 0;
    long l = strtol(text, &end, base);
    printf("%ld %d %d;", l, (int)(end - text), errno);
    errno = 0;
    unsigned long u = strtoul(text, &end, base);
    printf("%lu %d %d;", u, (int)(end - text), errno);
    errno = 0;
    long long ll = strtoll(text, &end, base);
    printf("%lld %d %d;", ll, (int)(end - text), errno);
    printf("%d %ld\n", atoi(text), atol(text));
}

static void floating(const char *text) {
    char *end;
    errno = 0;
    double d = strtod(text, &end);
    printf("%a %d %d;", d, (int)(end - text), errno);
    errno = 0;
    float f = strtof(text, &end);
    printf("%a %d %d;", f, (int)(end - text), errno);
    errno = 0;
    long double l = strtold(text, &end);
    printf("%La %d %d;", l, (int)(end - text), errno);
    printf("%g\n", atof(text));
}

int main(void) {
    const char *integers[] = {"0", "42", "-42", "+7", "  \t\n99x", "", "x", "-", "0x1f", "0X1F", "0xg", "017", "08", "zz", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-1", "99999999999999999999999",
        "2147483648", "1010", "- 5", "+-5"};
    int bases[] = {0, 2, 8, 10, 16, 36};
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++)
        for (unsigned j = 0; j < sizeof bases / sizeof *bases; j++)
            integer(integers[i], bases[j]);
    const char *floats[] = {"0", "-0", "1", "1.5", ".5", "5.", ".", "-.e5", "1e5", "1E+5", "1e-5x", "1e", "1e+", "0.1", "0.2", "0.3", "3.14159265358979323846264338327950288",
        "1e308", "1.8e308", "1e400", "1e-307", "2.2250738585072014e-308", "1e-400", "1e-50", "1e40", "1e5000", "1e-5000", "1e99999999999", "9007199254740993",
        "9007199254740992.5", "9007199254740993.0000000000000000000001", "16777217", "0x1p0", "0x1.8p-3", "0x.8", "0x", "0xg", "0x1p", "0x1.fffffffffffff8p0",
        "0x1.00000000000008p0", "0x1.00000000000018p0", "inf", "-INF", "infinity", "infinit", "nan", "nan(123)", "nan(", "-nan", " 12 13", "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000001", "179769313486231580793728971405301e276", "1.00000011920928955078125", "1.00000017881393432617187499"};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++)
        floating(floats[i]);
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(17L, -5L);
    lldiv_t ll = lldiv(-9000000000LL, 7LL);
    imaxdiv_t m = imaxdiv(100, 7);
    printf("%d %d %ld %ld %lld %lld %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, m.quot, m.rem);
    printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7LL));
    return 0;
}
