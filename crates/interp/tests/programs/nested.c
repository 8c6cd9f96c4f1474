/* Functions inside functions: variables of the outer ones, pointers to inner ones, jumps to labels of outer ones. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void sort(int *a, int n, int descending)
{
    int compared = 0;
    int compare(const void *x, const void *y)
    {
        int l = *(const int *)x, r = *(const int *)y;
        compared++;
        return descending ? (l < r) - (l > r) : (l > r) - (l < r);
    }
    qsort(a, n, sizeof *a, compare);
    printf("%s", compared > 0 ? "sorted:" : "nothing:");
    for (int i = 0; i < n; i++)
        printf(" %d", a[i]);
    printf("\n");
}

static void fibonacci(int n)
{
    int calls = 0;
    int go(int k)
    {
        calls++;
        return k < 2 ? k : go(k - 1) + go(k - 2);
    }
    int result = go(n);
    printf("%d in %d calls\n", result, calls);
}

static int deep(int a)
{
    int b = a + 1;
    int level1(int c)
    {
        int d = c * 2;
        int level2(int e)
        {
            int f = e + a + b;
            int level3(void)
            {
                a++;
                b += 2;
                d += 3;
                f += 4;
                return a + b + c + d + e + f;
            }
            int r = level3() + level3();
            d += f;
            return r;
        }
        int s = level2(c) + level2(d);
        return s + d;
    }
    int t = level1(3) + level1(4);
    return t * 10 + a + b;
}

static int parity(int n)
{
    int steps = 0;
    auto int odd(int);
    int even(int k)
    {
        steps++;
        return k == 0 ? 1 : odd(k - 1);
    }
    int odd(int k)
    {
        steps++;
        return k == 0 ? 0 : even(k - 1);
    }
    int r = even(n);
    return r * 100 + steps;
}

static int arrays(int n, int m)
{
    int a[n][m];
    int fill(int v)
    {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = v + i * m + j;
        return sizeof a / sizeof a[0];
    }
    int sum(void)
    {
        int s = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                s += a[i][j];
        return s;
    }
    int rows = fill(5);
    n--;
    return sum() * 10 + rows;
}

static int sizes(int n)
{
    typedef int row[n];
    row r;
    int size(void)
    {
        row q;
        q[0] = 1;
        return sizeof q + sizeof r;
    }
    int parameter(int m, int v[m][n++]) { return sizeof v[0] + v[1][m]; }
    int v[2][n];
    v[1][2] = 77;
    int result = size() + parameter(2, v);
    return 10 * result + n;
}

static int blocks(void)
{
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int local = i * 10;
        int *p = &local;
        int add(int k)
        {
            local += k;
            total += local;
            return local;
        }
        add(1);
        *p += 100;
        add(2);
        {
            int inner = local;
            int twice(void) { return inner * 2 + local; }
            total += twice();
        }
    }
    return total;
}

static int find(int *a, int n, int key)
{
    __label__ found, missing;
    int at = -1;
    void look(int i)
    {
        int here = i;
        if (i == n)
            goto missing;
        if (a[i] == key) {
            at = here;
            goto found;
        }
        look(i + 1);
    }
    for (int round = 0; round < 3; round++) {
        int x = round;
        look(x);
    }
    return -2;
missing:
    return -1;
found:
    return at;
}

static int outwards(int n)
{
    __label__ done;
    int steps = 0;
    int a(int k)
    {
        __label__ again;
        int b(int j)
        {
            steps++;
            if (j > 5)
                goto done;
            if (j & 1)
                goto again;
            return j;
        }
        int r = b(k);
        return r;
    again:
        k++;
        return b(k) + 100;
    }
    int s = a(n);
    s += a(n + 1);
    s += a(n + 2);
    return s * 10 + steps;
done:
    return -steps;
}

static int computed(int n)
{
    __label__ one, two;
    static void *own[] = {&&three, &&four};
    void *label(int k) { return k == 1 ? &&one : &&two; }
    int other(int k)
    {
        static void *inner[] = {&&a, &&b};
        goto *inner[k];
    a:
        return 10;
    b:
        return 20;
    }
    if (n > 2)
        goto *own[n - 3];
    goto *label(n);
one:
    return 1 + other(0);
two:
    return 2 + other(1);
three:
    return 3;
four:
    return 4;
}

struct big {
    int x[6];
    double d;
};

static struct big build(int base)
{
    struct big make(int k)
    {
        struct big b;
        for (int i = 0; i < 6; i++)
            b.x[i] = base + k * i;
        b.d = base / 2.0;
        return b;
    }
    return make(3);
}

static double average(int n)
{
    double sum = 0;
    int count = 0;
    void take(double v)
    {
        sum += v;
        count++;
    }
    double all(int m, ...)
    {
        va_list list;
        va_start(list, m);
        for (int i = 0; i < m; i++)
            take(va_arg(list, double));
        va_end(list);
        return sum / count;
    }
    return all(3, 1.5, 2.5, (double)n);
}

static int counter(void)
{
    static int shared = 5;
    int next(void)
    {
        static int own = 100;
        shared++;
        return own++ + shared;
    }
    int first = next();
    return first + next();
}

static int old_style(a, c) int a; char c;
{
    int g(b, d) int b; char d; { return a * b + c * d; }
    return g(2, 300);
}

static int cleaned(void)
{
    int total = 0;
    void done(int *p) { total += *p; }
    {
        int v __attribute__((cleanup(done))) = 5;
        v++;
    }
    return total;
}

static int apply(int (*f)(int), int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += f(i);
    return s;
}

/* Without variables of the outer function a pointer is good in any activation. */
static int recurse(int depth, int (*f)(int))
{
    int twice(int x) { return 2 * x; }
    if (depth == 0)
        return f(7);
    return recurse(depth - 1, twice);
}

static const char *name(void)
{
    const char *inner(void) { return __func__; }
    return inner();
}

int main(void)
{
    int a[] = {5, 3, 9, 1, 7};
    sort(a, 5, 0);
    sort(a, 5, 1);
    fibonacci(10);
    printf("%d\n", deep(2));
    printf("%d %d\n", parity(7), parity(8));
    printf("%d\n", arrays(3, 4));
    printf("%d\n", sizes(4));
    printf("%d\n", blocks());
    printf("%d %d %d\n", find(a, 5, 5), find(a, 5, 1), find(a, 5, 42));
    printf("%d %d %d\n", outwards(0), outwards(1), outwards(4));
    printf("%d %d %d %d\n", computed(1), computed(2), computed(3), computed(4));
    struct big b = build(10);
    printf("%d %d %g\n", b.x[0], b.x[5], b.d);
    printf("%g\n", average(8));
    printf("%d\n", counter());
    printf("%d\n", counter());
    printf("%d\n", old_style(4, 3));
    printf("%d\n", cleaned());
    int scale = 3;
    int times(int x) { return x * scale; }
    printf("%d\n", apply(times, 5));
    scale = 4;
    printf("%d\n", apply(&times, 5));
    int (*p)(int) = scale > 3 ? times : 0;
    printf("%d %d\n", p(2), p == times);
    printf("%d %d\n", recurse(3, times), recurse(0, times));
    printf("%d\n", ({ int k = 3; int triple(void) { return k * 3; } triple(); }));
    printf("%s\n", name());
    volatile int v = 3;
    const int c = 4;
    _Bool flag = 0;
    struct { unsigned f : 3; } bits = {5};
    _Alignas(32) char aligned = 0;
    void touch(void)
    {
        v += c;
        flag = !flag;
        bits.f += 2;
        aligned += _Alignof aligned;
    }
    touch();
    touch();
    touch();
    printf("%d %d %d %d\n", v, flag, bits.f, aligned);
    return 0;
}
