/* Complex integers (GNU): parts of all widths, arithmetic, conversions. */
#include <stdio.h>

#define SHOW(z) printf("%lld %lld (%d)\n", (long long)__real__(z), (long long)__imag__(z), (int)sizeof(z))

struct pair {
    char c;
    _Complex short z;
};

_Complex int i = 3 + 4i;
_Complex unsigned char c = 250 + 20i;
_Complex long long l[2] = {1, 2i};
struct pair p = {1, 5 - 6i};

static _Complex int product(_Complex int a, _Complex int b) { return a * b; }
static _Complex int quotient(_Complex int a, _Complex int b) { return a / b; }
static _Complex unsigned unsigned_quotient(_Complex unsigned a, _Complex unsigned b) { return a / b; }
static _Complex char sum(_Complex char a, _Complex char b) { return a + b; }
static _Complex short mixed(_Complex short a, _Complex unsigned char b) { return a * b - a; }

int main(void) {
    SHOW(i);
    SHOW(c);
    SHOW(l[0]);
    SHOW(l[1]);
    SHOW(p.z);
    SHOW(product(i, 2 - 5i));
    SHOW(quotient(100 + 7i, 3 + 2i));
    SHOW(quotient(100 + 7i, 2 - 9i));
    SHOW(quotient(-100 + 77i, -7 + 3i));
    SHOW(quotient(5, 0 + 2i));
    SHOW(unsigned_quotient(1000 + 3i, 7 + 2i));
    SHOW(unsigned_quotient(1000 + 3000i, 7 + 20i));
    SHOW(sum(100 + 3i, 100 - 4i));
    SHOW(mixed(300 + 2i, 200 + 3i));
    SHOW(c + c);
    SHOW(c + p.z);
    SHOW(c * 2);
    SHOW(p.z - 1L);
    SHOW(-i);
    SHOW(~i);
    SHOW(i * 2 + 1);
    SHOW(10 - i);
    SHOW(i / 2);
    SHOW(7 / i);
    _Complex double d = i;
    printf("%g %g\n", __real__ d, __imag__ d);
    d = 2.7 - 3.9i;
    i = d;
    SHOW(i);
    d = i + 0.5;
    printf("%g %g\n", __real__ d, __imag__ d);
    printf("%d %d %d %d\n", i == 2 - 3i, i != 2, i ? 1 : 0, !i);
    _Bool b = 0 * i;
    int r = i;
    printf("%d %d\n", b, r);
    i += 5;
    i *= 1i;
    SHOW(i);
    __real__ i = 77;
    __imag__ i -= 3;
    SHOW(i);
    SHOW(1 ? i : 2.5);
    SHOW(r ? c : p.z);
    printf("%d\n", (int)_Alignof(_Complex long long));
    _Complex int a[3] = {1, 2 + 2i};
    SHOW(a[1] + a[2] + a[0]);
    return 0;
}
