/* <math.h> and <complex.h>: exact bits of results. */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>

static double values[] = {0.0, -0.0, 0.3, -0.3, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.7, -3.7, 10, 100.25, 1e10, -1e10, 1e300, 1e-300, 4.9e-324, 1e16, 0.49999999999999994};

#define UNARY(name) printf(#name " %a %a;", name(x), name##f((float)x))
#define BINARY(name) printf(#name " %a %a;", name(x, y), name##f((float)x, (float)y))
#define LONG(name) printf(#name " %La;", name(l))

static void unary(double x) {
    UNARY(fabs); UNARY(floor); UNARY(ceil); UNARY(trunc); UNARY(round); UNARY(rint); UNARY(nearbyint); UNARY(sqrt); UNARY(logb);
    UNARY(sin); UNARY(cos); UNARY(tan); UNARY(asin); UNARY(acos); UNARY(atan); UNARY(sinh); UNARY(cosh); UNARY(tanh);
    UNARY(asinh); UNARY(acosh); UNARY(atanh); UNARY(exp); UNARY(exp2); UNARY(expm1); UNARY(log); UNARY(log2); UNARY(log10); UNARY(log1p);
    int e = 0, g = 0;
    double whole;
    float part;
    printf("%a %a ", frexp(x, &e), frexpf((float)x, &g));
    printf("%d %d ", e, g);
    printf("%a %a ", modf(x, &whole), modff((float)x, &part));
    printf("%a %a %d %d\n", whole, part, ilogb(x), ilogbf((float)x));
    if (fabs(x) < 1e15)
        printf("%ld %lld %ld %lld\n", lround(x), llround(x), lrint(x), llrint(x));
    long double l = x, w;
    LONG(fabsl); LONG(floorl); LONG(ceill); LONG(truncl); LONG(roundl); LONG(rintl); LONG(sqrtl); LONG(logbl);
    printf("%La ", frexpl(l / 3, &e));
    printf("%d ", e);
    printf("%La ", modfl(l * 1.25L, &w));
    printf("%La %La %d %La %La\n", w, ldexpl(l, -7), ilogbl(l), nextafterl(l, 1), sqrtl(l / 3));
    printf("%d %d %d %d %d\n", isnan(x) != 0, isinf(x) != 0, isfinite(x) != 0, signbit(x) != 0, fpclassify(x));
}

static void binary(double x, double y) {
    BINARY(fmod); BINARY(remainder); BINARY(pow); BINARY(atan2); BINARY(hypot); BINARY(fmin); BINARY(fmax); BINARY(fdim); BINARY(copysign); BINARY(nextafter);
    printf("%a %a %a %La %La %La\n", fma(x, y, 0.1), ldexp(x, (int)fmod(y, 50)), scalbn(x, -1070), fmodl(x, y), fmal(x, y, 0.1L), fmaxl(x, y));
}

static void numbers(double complex z, double complex w) {
    double complex p = z * w, q = z / w;
    float complex f = (float complex)z * (float complex)w, g = (float complex)z / (float complex)w;
    long double complex l = (long double complex)z * w, m = (long double complex)z / w;
    printf("%a %a %a %a %a %a %a %a ", creal(p), cimag(p), creal(q), cimag(q), crealf(f), cimagf(f), crealf(g), cimagf(g));
    printf("%La %La %La %La %a %a %a\n", creall(l), cimagl(l), creall(m), cimagl(m), cabs(z), carg(z), cimag(conj(z)));
}

int main(void) {
    int count = sizeof values / sizeof *values;
    for (int i = 0; i < count; i++)
        unary(values[i]);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            binary(values[i], values[j]);
    double parts[] = {1, -2.5, 0.1, 1e-200, 1e200, 3};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            numbers(parts[i] + parts[j] * I, parts[(i + j) % 6] + parts[(i * j + 1) % 6] * I);
    numbers(INFINITY + 1 * I, 2 + 3 * I);
    numbers(1 + 2 * I, 0);
    numbers(1 + 2 * I, INFINITY);
    double bad[] = {-1, 0, 800, -800};
    for (int i = 0; i < 4; i++) {
        errno = 0;
        double r = log(bad[i]);
        int first = errno;
        errno = 0;
        double e = exp(bad[i]);
        printf("%a %d %a %d ", r, first, e, errno);
        errno = 0;
        r = sqrt(bad[i]);
        printf("%a %d\n", r, errno);
    }
    errno = 0;
    printf("%a ", pow(10, 400));
    printf("%d\n", errno);
    printf("%a\n", fmod(1, 0));
    errno = 0;
    printf("%a %a ", powf(-0.0f, 2), pow(-0.0, 2));
    printf("%d\n", errno);
    printf("%f %f %Lf\n", nan(""), NAN, nanl("1"));
    return 0;
}
