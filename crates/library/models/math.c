/* <math.h> for one format. The text is used three times, for double, float and long double; the names of the latter two get `f` and `l`
 * behind them. The lines before it, made for each format, define the type `real` and the functions
 *   any()           an arbitrary value
 *   magnitude(x)    without its sign
 *   negative(x)     whether its sign is set
 *   largest()       the largest number
 *   smallest()      the smallest number with all its digits
 *   integral()      every number that is not smaller is an integer */

static _Bool is_nan(real x) { return x != x; }
static _Bool is_infinite(real x) { return magnitude(x) > largest(); }
static real not_a_number(void) { return (real)__builtin_nan(""); }
static real infinity(void) { return (real)__builtin_inf(); }
static real with_sign(real x, _Bool minus) { return minus ? -magnitude(x) : magnitude(x); }

/* Any number in a range. */
static real real_between(real low, real high) {
    real x = any();
    __CPROVER_assume(low <= x && x <= high);
    return x;
}

/* Outside of the domain of a function. */
static real undefined(void) {
    if (__loopfrog_nondet_bool())
        set_errno();
    return not_a_number();
}

/* ---- exact ---------------------------------------------------------------------------------------------------------------------------- */

real fabs(real x) { return magnitude(x); }
real copysign(real x, real y) { return with_sign(x, negative(y)); }

real fmin(real x, real y) {
    if (is_nan(x))
        return y;
    if (is_nan(y))
        return x;
    return x < y || (x == y && __loopfrog_nondet_bool()) ? x : y;
}

real fmax(real x, real y) {
    if (is_nan(x))
        return y;
    if (is_nan(y))
        return x;
    return x > y || (x == y && __loopfrog_nondet_bool()) ? x : y;
}

real fdim(real x, real y) {
    if (is_nan(x) || is_nan(y))
        return not_a_number();
    return x > y ? x - y : 0;
}

real nan(const char *tag) {
    string(tag);
    return not_a_number();
}

/* The integer between a number and zero; numbers that are too large for this are integers. */
static real truncated(real x) { return with_sign((real)(long long)x, negative(x)); }
static _Bool has_fraction(real x) { return magnitude(x) < integral(); }

real trunc(real x) { return has_fraction(x) ? truncated(x) : x; }

real floor(real x) {
    if (!has_fraction(x))
        return x;
    real n = truncated(x);
    return n > x ? n - 1 : n;
}

real ceil(real x) {
    if (!has_fraction(x))
        return x;
    real n = truncated(x);
    return n < x ? with_sign(n + 1, negative(x)) : n;
}

real round(real x) {
    if (!has_fraction(x))
        return x;
    real n = truncated(x);
    if (magnitude(x - n) >= (real)0.5)
        n = negative(x) ? n - 1 : n + 1;
    return with_sign(n, negative(x));
}

/* To the nearest, ties to even: what fesetround may say is not modelled. */
static real nearest(real x) {
    if (!has_fraction(x))
        return x;
    real n = truncated(x), rest = magnitude(x - n);
    if (rest > (real)0.5 || (rest == (real)0.5 && (long long)n % 2 != 0))
        n = negative(x) ? n - 1 : n + 1;
    return with_sign(n, negative(x));
}

real rint(real x) { return nearest(x); }
real nearbyint(real x) { return nearest(x); }
real roundeven(real x) { return nearest(x); }

/* What does not fit gives something. */
static long as_long(real x) {
    if (magnitude(x) < (real)((unsigned long)-1 / 2))
        return (long)x;
    return __loopfrog_nondet_long();
}

static long long as_longlong(real x) {
    if (magnitude(x) < (real)((unsigned long long)-1 / 2))
        return (long long)x;
    return __loopfrog_nondet_longlong();
}

long lround(real x) { return as_long(round(x)); }
long lrint(real x) { return as_long(nearest(x)); }
long long llround(real x) { return as_longlong(round(x)); }
long long llrint(real x) { return as_longlong(nearest(x)); }

real modf(real x, real *whole) {
    writable(whole, sizeof *whole);
    *whole = trunc(x);
    return with_sign(is_infinite(x) ? 0 : x - *whole, negative(x));
}

/* ---- classes of numbers ------------------------------------------------------------------------------------------------------------ */

int isnan(real x) { return truth(is_nan(x)); }
int __isnan(real x) { return truth(is_nan(x)); }
int isinf(real x) { return truth(is_infinite(x)); }
int __isinf(real x) { return truth(is_infinite(x)); }
int finite(real x) { return truth(!is_nan(x) && !is_infinite(x)); }
int __finite(real x) { return truth(!is_nan(x) && !is_infinite(x)); }
int __signbit(real x) { return truth(negative(x)); }
int __fpclassify(real x) { return is_nan(x) ? 0 : is_infinite(x) ? 1 : x == 0 ? 2 : magnitude(x) < smallest() ? 3 : 4; }

/* ---- approximations: what is true of every implementation ------------------------------------------------------------------------------ */

real sqrt(real x) {
    if (is_nan(x) || x == 0 || x == infinity())
        return x;
    if (x < 0)
        return undefined();
    return x < 1 ? real_between(x, 1) : real_between(1, x);
}

real fmod(real x, real y) {
    if (is_nan(x) || is_nan(y) || is_infinite(x) || y == 0)
        return undefined();
    if (magnitude(x) < magnitude(y))
        return x;
    real rest = any();
    __CPROVER_assume(magnitude(rest) < magnitude(y) && negative(rest) == negative(x));
    return rest;
}

real remainder(real x, real y) {
    if (is_nan(x) || is_nan(y) || is_infinite(x) || y == 0)
        return undefined();
    real rest = any();
    __CPROVER_assume(magnitude(rest) <= magnitude(y) && magnitude(rest) <= magnitude(x));
    return rest;
}

/* A function that is a number wherever its argument is finite, within bounds. */
static real within(real x, real low, real high) {
    if (is_nan(x))
        return x;
    return is_infinite(x) ? undefined() : real_between(low, high);
}

real sin(real x) { return within(x, -1, 1); }
real cos(real x) { return within(x, -1, 1); }
real tan(real x) { return within(x, -largest(), largest()); }

real asin(real x) { return is_nan(x) ? x : magnitude(x) > 1 ? undefined() : real_between(-2, 2); }
real acos(real x) { return is_nan(x) ? x : magnitude(x) > 1 ? undefined() : real_between(0, 4); }
real atan(real x) { return is_nan(x) ? x : real_between(-2, 2); }
real atan2(real y, real x) { return is_nan(x) || is_nan(y) ? not_a_number() : real_between(-4, 4); }
real tanh(real x) { return is_nan(x) ? x : real_between(-1, 1); }

/* A result that may be beyond all numbers, or too small for them, sets errno. */
static real ranged(real low, real high) {
    if (__loopfrog_nondet_bool())
        set_errno();
    return real_between(low, high);
}

real sinh(real x) { return is_nan(x) ? x : ranged(-infinity(), infinity()); }
real cosh(real x) { return is_nan(x) ? x : ranged(1, infinity()); }
real exp(real x) { return is_nan(x) ? x : x < 0 ? ranged(0, 1) : ranged(1, infinity()); }
real exp2(real x) { return is_nan(x) ? x : x < 0 ? ranged(0, 1) : ranged(1, infinity()); }
real expm1(real x) { return is_nan(x) ? x : ranged(-1, infinity()); }

/* Logarithms: of 0 minus infinity. */
static real logarithm(real x) {
    if (is_nan(x))
        return x;
    if (x < 0)
        return undefined();
    return x < 1 ? ranged(-infinity(), 0) : ranged(0, infinity());
}

real log(real x) { return logarithm(x); }
real log2(real x) { return logarithm(x); }
real log10(real x) { return logarithm(x); }
real log1p(real x) { return is_nan(x) ? x : x < -1 ? undefined() : ranged(-infinity(), infinity()); }

real pow(real x, real y) {
    if (y == 0 || x == 1)
        return 1;
    if (is_nan(x) || is_nan(y))
        return not_a_number();
    if (x > 0)
        return ranged(0, infinity());
    return __loopfrog_nondet_bool() ? undefined() : ranged(-infinity(), infinity());
}

real cbrt(real x) { return is_nan(x) ? x : x < 0 ? real_between(-infinity(), 0) : real_between(0, infinity()); }

real hypot(real x, real y) {
    if (is_infinite(x) || is_infinite(y))
        return infinity();
    return is_nan(x) || is_nan(y) ? not_a_number() : ranged(0, infinity());
}

real fma(real x, real y, real z) {
    if (__loopfrog_nondet_bool())
        set_errno();
    return any();
}

real ldexp(real x, int exponent) { return is_nan(x) || is_infinite(x) || x == 0 ? x : x < 0 ? ranged(-infinity(), 0) : ranged(0, infinity()); }
real scalbn(real x, int exponent) { return ldexp(x, exponent); }

real frexp(real x, int *exponent) {
    writable(exponent, sizeof *exponent);
    *exponent = __loopfrog_nondet_int();
    if (is_nan(x) || is_infinite(x))
        return x;
    if (x == 0) {
        *exponent = 0;
        return x;
    }
    __CPROVER_assume(*exponent > -20000 && *exponent < 20000);
    return with_sign(real_between((real)0.5, 1), negative(x));
}
