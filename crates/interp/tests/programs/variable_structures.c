/* Structures with variable-length members (GNU): layout, members, copies. */
#include <stddef.h>
#include <stdio.h>

static void show(int n, int m)
{
    struct s {
        char c;
        int a[n];
        short s;
        double d[m];
        char t;
    } s, *p = &s;
    struct packed {
        char c;
        int a[n];
        unsigned bit : 1;
        double d[m];
        char t;
    } __attribute__((packed, aligned(4)));
    typedef struct {
        struct s in[2];
        char z[n];
    } outer;
    int count = n;
    n += 5;
    printf("%zu %zu %zu\n", sizeof s, sizeof(struct packed), sizeof(outer));
    printf("%zu %zu %zu %zu\n", offsetof(struct s, a), offsetof(struct s, s), offsetof(struct s, d), offsetof(struct s, t));
    printf("%zu %zu %zu\n", offsetof(struct packed, d), offsetof(struct packed, t), offsetof(outer, z[2]));
    s.c = 1;
    s.t = 9;
    p->s = 77;
    for (int i = 0; i < count; i++)
        s.a[i] = i * 3 + 1;
    for (int i = 0; i < m; i++)
        p->d[i] = i / 2.0;
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += p->a[i];
    printf("%d %d %d %d %g %zu\n", s.c, sum, s.s, p->t, s.d[m - 1], sizeof s.a);
    struct s row[3];
    for (int i = 0; i < 3; i++) {
        row[i].c = i;
        row[i].t = 10 * i;
        for (int j = 0; j < count; j++)
            row[i].a[j] = i + j;
    }
    struct s *q = row;
    q++;
    printf("%d %d %td %d\n", q->c, q[1].t, &row[2] - row, (*q).a[count - 1]);
    int inner(int k) { return s.a[k] + row[2].t + (int)sizeof s; }
    printf("%d\n", inner(0));
    outer o;
    o.in[1].s = 5;
    o.z[0] = 3;
    printf("%d %d\n", o.in[1].s, o.z[0]);
    struct s copy;
    copy = *p;
    copy.t++;
    row[1] = row[2] = copy;
    copy = ({ struct s b; b = row[1]; b.s++; b; });
    printf("%d %d %d %d\n", copy.t, row[1].t, copy.s, row[2].a[0]);
    for (int i = 0; i < 5; i += 4) {
        struct { int length; char text[i + 1]; } text;
        text.length = sizeof text;
        text.text[i] = 'a';
        printf("%d %c\n", text.length, text.text[i]);
    }
}

int main(void)
{
    show(3, 2);
    show(1, 4);
    return 0;
}
