/* Conversions of the printf family: every letter, flag, width, precision and length. */
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void integers(void) {
    int values[] = {0, 1, -1, 42, -42, 123456789, INT_MAX, INT_MIN};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        int v = values[i];
        printf("[%d][%5d][%-5d][%05d][%+d][% d][%.3d][%8.3d][%-8.3d][%08.3d][%+.0d][%i]\n", v, v, v, v, v, v, v, v, v, v, v, v);
        printf("[%u][%o][%x][%X][%#o][%#x][%#X][%#10x][%-#10x|][%#010x][%.0x][%#.0o][%.5o]\n", v, v, v, v, v, v, v, v, v, v, v, v, v);
        printf("[%hhd][%hd][%hhu][%hx][%ld][%lld][%zd][%jd][%td]\n", v, v, v, v, (long)v, (long long)v, (ssize_t)v, (intmax_t)v, (ptrdiff_t)v);
    }
    printf("[%ld][%lu][%lx][%llu][%zu]\n", LONG_MIN, ULONG_MAX, ULONG_MAX, ULLONG_MAX, SIZE_MAX);
    printf("[%*d][%-*d][%*d][%.*d][%.*d][%0*d]\n", 6, 7, 6, 7, -6, 7, 4, 7, -4, 7, 6, -7);
    printf("[%2$d %1$d %2$05d]\n", 1, 2);
    printf("[%'d][%5%][%%]\n", 1234567);
}

static void texts(void) {
    char bytes[3] = {'a', 'b', 'c'};
    char *null = NULL;
    printf("[%s][%10s][%-10s][%.2s][%10.2s][%.0s][%.3s][%c][%3c][%-3c]\n", "hello", "hello", "hello", "hello", "hello", "hello", bytes, 'x', 'y', 'z');
    printf("[%s][%.3s][%10s][%.6s]\n", null, null, null, null);
    printf("[%p][%10p][%-10p]\n", (void *)0, (void *)0, (void *)0);
    int n = -1;
    signed char small = -1;
    long large = -1;
    printf("12345%n67%hhn89%ln\n", &n, &small, &large);
    printf("%d %d %ld\n", n, small, large);
    errno = ENOENT;
    printf("%m|%30m|\n");
    errno = 0;
    printf("a%cb\n", 0);
}

static void floats(double v) {
    printf("[%f][%.0f][%#.0f][%.1f][%.10f][%15.3f][%-15.3f|][%015.3f][%+f][% f][%F]\n", v, v, v, v, v, v, v, v, v, v, v);
    printf("[%e][%.0e][%#.0e][%.3e][%.15e][%15.2E][%-15.2e|][%+.20e]\n", v, v, v, v, v, v, v, v);
    printf("[%g][%.0g][%.3g][%#g][%#.3g][%.17g][%G][%20.10g][%-20g|][%020g][%.30g]\n", v, v, v, v, v, v, v, v, v, v, v);
    printf("[%a][%.0a][%.1a][%.5a][%A][%20a][%-20a|][%020a][%+a][%#.0a][%.20a]\n", v, v, v, v, v, v, v, v, v, v, v);
}

static void long_floats(long double v) {
    printf("[%Lf][%.0Lf][%.25Lf][%Le][%.0Le][%.25Le][%Lg][%.3Lg][%.21Lg][%La][%.0La][%.3La][%.20La][%25.4La]\n", v, v, v, v, v, v, v, v, v, v, v, v, v, v);
}

static int forwarded(char *to, size_t size, const char *format, ...) {
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    vprintf(format, list);
    int length = vsnprintf(to, size, format, copy);
    va_end(copy);
    va_end(list);
    return length;
}

int main(void) {
    integers();
    texts();
    double values[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 0.1, 0.25, 0.125, 9.5, 9.995, 99.5, 999999.4, 1e5, 1e6, 123456, 1234567, 1e15, 1e16, 1e17,
        1e21, 1e22, 1e23, 1e100, 1e-4, 1e-5, 0.00012345, 1.0 / 3, 2.0 / 3, 3.14159265358979, 1e-300, DBL_MAX, DBL_MIN, DBL_EPSILON, 4.9e-324,
        5e-310, 0x1.fffffffffffffp0, 0x1.8p0, 0x1.08p0, 0x1.18p0, 4503599627370496.5, 8.5, 1e300 * 1e10, -(1e300 * 1e10), 123.456e-7};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        floats(values[i]);
    floats(nan(""));
    floats(-nan(""));
    long double wide[] = {0.0L, -0.0L, 1.0L, 1.5L, 2.5L, 0.1L, 1.0L / 3, -1e100L, 1e-100L, LDBL_EPSILON, LDBL_MIN, 15.96875L, 15.9999999L, 123456.789L, 1e4000L};
    for (unsigned i = 0; i < sizeof wide / sizeof *wide; i++)
        long_floats(wide[i]);
    printf("%.3Lf %Lg\n", (long double)INFINITY, -(long double)INFINITY);
    printf("%.400f\n%.1100g\n", 0.1, 4.9e-324);
    char buffer[64];
    printf(" %d\n", forwarded(buffer, sizeof buffer, "<%d %s %.2f %Lf %c>", 1, "two", 3.0, 4.0L, '5'));
    puts(buffer);
    printf(" %d [%s]\n", forwarded(buffer, 5, "<%d %s>", 123, "four"), buffer);
    printf("%d ", snprintf(NULL, 0, "%d", 12345));
    printf("%d ", snprintf(buffer, 1, "%d", 12345));
    printf("[%s] ", buffer);
    printf("%d ", sprintf(buffer, "%s", "whole"));
    puts(buffer);
    char *made = NULL;
    extern int asprintf(char **, const char *, ...);
    int length = asprintf(&made, "%s-%d", "made", 7);
    printf("%d %s\n", length, made);
    free(made);
    fprintf(stdout, "%s", "out\n");
    fputs("fputs\n", stdout);
    putchar('p');
    putc('q', stdout);
    fputc('\n', stdout);
    printf("%zu\n", fwrite("block\n", 1, 6, stdout));
    return 0;
}
