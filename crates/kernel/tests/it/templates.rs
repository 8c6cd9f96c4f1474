//! Statements that use what C has to offer. In a template, `E` stands for an expression, `S` for a structure, `A` for an array of 8 elements,
//! `@` for a new number.

use crate::generator::Generator;

/// Functions without body.
pub const PROTOTYPES: &str = "int printf(const char *, ...); void reach_error(void); void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); long __VERIFIER_nondet_long(void); short __VERIFIER_nondet_short(void);
unsigned char __VERIFIER_nondet_uchar(void); signed char __VERIFIER_nondet_char(void);
void *malloc(unsigned long), *calloc(unsigned long, unsigned long), *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long), *memset(void *, int, unsigned long); void free(void *);
unsigned long strlen(const char *); int strcmp(const char *, const char *); int memcmp(const void *, const void *, unsigned long);
";

/// Functions that templates call.
pub const HELPERS: &str = "struct N { struct N *next; P v; };
static struct S by_value(struct S s, int n) { s.a = n; s.c[(unsigned)n % 3u] = 7; s.b ^= n; if (n & 1) return s; s.in = ga[n & 1].in; return s; }
static struct S *by_pointer(struct S *s, P *p) { s->z = *p; *p = s->d; return s; }
static unsigned in_struct(struct I i) { struct I *p = &i; p->x ^= 3; return (unsigned)i.x + (unsigned)i.y; }
static unsigned in_union(union U a) { a.c[1] = 9; return a.h[0]; }
static unsigned recursive(unsigned n, P *p) { if (n == 0) return *p; *p = (P)((unsigned)*p + n); return recursive(n - 1, p) * 3u + n; }
static unsigned long several(int n, ...) {
  __builtin_va_list l, m; __builtin_va_start(l, n); unsigned long s = 0;
  for (int i = 0; i < n; i++) s = s * 3u + __builtin_va_arg(l, unsigned);
  for (int i = n; i < 1; i++) __builtin_va_arg(l, unsigned);
  __builtin_va_copy(m, l); s ^= __builtin_va_arg(m, unsigned); s += __builtin_va_arg(l, unsigned);
  s += *__builtin_va_arg(l, P *); s += __builtin_va_arg(l, unsigned long); s += (unsigned)__builtin_va_arg(l, double);
  __builtin_va_end(l); __builtin_va_end(m); return s;
}
static P *element(P *p, unsigned n) { return n & 1 ? p : p + (n & 7); }
static long k0(int a, int b) { return (short)a + (short)b; }
static long k1(int a, int b) { return a > b; }
static long k2(int a, int b) { static int n; n ^= a; return n; }
";

const TEMPLATES: &[&str] = &[
    // Pointers into arrays.
    "{ P *q = &A[E & 7]; *q = E; r = r * 31u + *q; }",
    "{ P *q = &t[E & 7], *h = t + (E & 7); r = r * 31u + (unsigned long)(q - h); r ^= (q < h) + 2 * (q == h); *q = E; r += *h; h += 7 - (h - t); r += *h; }",
    "{ P *q = E ? &t[E & 7] : &v[E & 7]; *q = E; r = r * 31u + *q + t[E & 7]; }",
    "{ P *q = E ? &u[E & 7] : 0; if (q) *q = E; r += u[3]; r += q == 0; }",
    "{ lp = &v[E & 7]; gp = &t[E & 7]; *lp = E; r = r * 31u + *gp; }",
    "{ P *q = &t[E & 3]; q++; *q++ = E; r += q[-1]; r += *--q; }",
    "{ P (*q)[4] = &mat[(unsigned)(E) % 3u]; (*q)[E & 3] = E; r = r * 31u + (*q)[E & 3]; r += (unsigned long)(q - mat); }",
    "{ P *q = element(A, E); *q = E; r += *element(t, E); }",
    // Pointers to pointers, pointers in objects.
    "{ P *q = &v[E & 7]; P **z = &q; if (E) z = &gp; **z = E; *z = &t[E & 7]; r = r * 31u + **z + *q; }",
    "{ struct { P *p; int n; } b[2] = { { &t[E & 7], E }, { &v[E & 7], 2 } }; b[E & 1] = b[E & 1]; *b[E & 1].p = E; r = r * 31u + *b[0].p + (unsigned)b[1].n; }",
    "{ P *q[3] = { t, &u[E & 7], &v[2] }; *q[(unsigned)(E) % 3u] = E; q[0] = q[(unsigned)(E) % 3u]; r = r * 31u + *q[0]; }",
    "{ struct N a = { 0, E }, b = { &a, 2 }, c = { E ? &a : &b, 3 }; for (struct N *n = &c; n; n = n->next) r = r * 31u + n->v; c.next->v = E; r += a.v; }",
    "{ P *a = &t[E & 7], *b = &v[1]; memcpy(&b, &a, sizeof a); r = r * 31u + *b; }",
    "{ union { P *p; unsigned char c[8]; } a, b; a.p = &t[E & 7]; b = a; r = r * 31u + *b.p; }",
    "{ struct { P *p; P n; } a = { &v[E & 7], 1 }, *b = &a, c; b->p = &b->n; c = *b; *c.p = E; r = r * 31u + a.n; }",
    // Casts.
    "{ unsigned long a = (unsigned long)&t[E & 7]; P *q = (P *)a; *q = E; r = r * 31u + *q; }",
    "{ unsigned long a = (unsigned long)&v[1]; a += sizeof(P) * (E & 3); P *q = (P *)a; r = r * 31u + *q; }",
    "{ void *q = E ? (void *)&t[1] : (void *)&gs; r = r * 31u + *(unsigned char *)q; }",
    "{ unsigned char *c = (unsigned char *)&A[0]; c[(unsigned)(E) % (unsigned)sizeof(P)] = E; r = r * 31u + c[(unsigned)(E) % (unsigned)sizeof t]; }",
    "{ unsigned char *c = (unsigned char *)&ls; unsigned k = (unsigned)(E) % (unsigned)sizeof ls; c[k] = E; r = r * 31u + c[k]; r += ls.b; }",
    "{ signed char *c = (signed char *)&g1; r = r * 31u + *c; *c = E; r += g1; }",
    "{ struct I *i = &gs.in; struct S *s = (struct S *)((char *)i - __builtin_offsetof(struct S, in)); s->a = E; r = r * 31u + gs.a; }",
    "{ unsigned short *h = (unsigned short *)&lu; h[E & 3] = E; r = r * 31u + lu.l; }",
    "{ unsigned *h = (unsigned *)(void *)&gu; r = r * 31u + h[E & 1]; *h = E; }",
    // Structures.
    "S = S;",
    "{ struct S *q = E ? &gs : &ls; q->b = E; q->in = S.in; r = r * 31u + (unsigned)q->b + q->in.x; *q = S; }",
    "S = by_value(S, E);",
    "r = r * 31u + by_value(S, E).a;",
    "S = E ? S : S;",
    "by_pointer(&S, &A[E & 7])->in.y = E;",
    "r = r * 31u + in_struct(S.in) + in_union(lu);",
    "{ struct S w[2] = { S, S }; struct S *q = &w[E & 1]; q->c[1] = E; q->d = E; q->f ^= E; r = r * 31u + w[0].d + w[1].f; }",
    "{ struct { struct S s[2]; P n; } w = { { gs, ls }, E }, x; x = w; x.s[E & 1].c[E & 1] = E; w.s[1] = x.s[0]; r = r * 31u + w.s[1].c[0] + x.n; }",
    "{ struct I *i = &(struct I){ E, E }; i->x ^= 1; r = r * 31u + i->x + i->y; }",
    "{ struct S *q = &la[E & 1]; struct I i = { E, 2 }; q->in = i; r = r * 31u + la[0].in.y; }",
    "{ P w[2][3] = { { E }, { 1, E } }; w[E & 1][2] = E; r = r * 31u + w[1][(unsigned)(E) % 3u]; }",
    "{ struct { P m[2][2]; } a = { { { E, 1 }, { 2, E } } }, b; b = a; b.m[E & 1][E & 1] ^= 1; a = b; r = r * 31u + a.m[1][0]; }",
    // Unions and floats.
    "{ lu.f = (float)(short)(E) * 0.5f; r = r * 31u + lu.h[E & 1]; lu.c[E & 3] = E; r += lu.h[0]; }",
    "{ gu.d = (double)(int)(E); r = r * 31u + gu.h[3]; gu = lu; r += gu.c[E & 7]; }",
    "{ union U *q = E ? &gu : &lu; q->l = E; q->c[E & 7] ^= 5; r = r * 31u + q->h[1]; lu = *q; }",
    "{ union U w[2] = { { 1 }, { 2 } }; w[E & 1].l = E; w[0] = w[E & 1]; r = r * 31u + w[0].c[0] + w[1].h[0]; }",
    "{ float f = (float)(short)(E) * 0.25f; double d = f + (signed char)(E); d = d / (1 + (E & 7)); r = r * 31u + (unsigned long)(long)d; r ^= (f < d) + (f == d); }",
    "{ double d = (int)(E); float f = (float)d; r = r * 31u + (f == d); r += (unsigned)(long)(f - 1.5f * (E & 3)); }",
    "{ double m[3] = { 1.5, (short)(E), -2 }; m[(unsigned)(E) % 3u] *= 2; r = r * 31u + (unsigned long)(long)(m[0] + m[1]); }",
    "{ unsigned long long l = E; float f = l; double d = (long long)l; r = r * 31u + (f > d); }",
    // Functions.
    "{ long (*q)(int, int) = E ? k0 : k1; r = r * 31u + (unsigned long)q(E, E); }",
    "{ r = r * 31u + (unsigned long)table[(unsigned)(E) % 3u](E, E); }",
    "{ struct { long (*q)(int, int); } s = { table[1] }; if (E) s.q = k2; r = r * 31u + (unsigned long)s.q(E, 3); }",
    "r = r * 31u + (unsigned long)h0(E, E) + (unsigned long)h1(E, E);",
    "r = r * 31u + (unsigned long)h2(E, E);",
    "r = r * 31u + recursive(E & 3, &A[E & 7]);",
    "r = r * 31u + several(E & 1, (unsigned)(E), (unsigned)(E), &A[E & 7], (unsigned long)(E), (double)(short)(E & 63));",
    "r = r * 31u + several(1, (unsigned)(E), 2u, &t[E & 7], (unsigned long)(E), 1.5);",
    "{ static unsigned n; n += (unsigned)(E); r = r * 31u + n; }",
    // Jumps.
    "{ int n = 0; again@: r = r * 31u + (unsigned long)(E); if (++n < 3 && (E)) goto again@; }",
    "{ int n = 0; if (E) goto in@; while (n < 2) { r = r * 31u + 3; in@: n++; r += (unsigned long)(E); } }",
    "{ static void *const l[] = { &&a@, &&b@ }; goto *l[E & 1]; a@: r += 5; b@: r = r * 31u + 1; }",
    "{ int n = E & 3; switch (n) { case 3: r += 3; do { case 2: r = r * 31u + 2; } while (--n > 0); break; case 0: r++; } }",
    "{ unsigned n = E & 3; while (n-- > 0) { if (n == 1) continue; r = r * 31u + n; } }",
    "{ if (E) goto out@; r ^= 1; for (int i = 0; i < 2; i++) { P w = E; P *q = &w; *q ^= i; r += w; if (E) goto out@; } r *= 3u; out@: r++; }",
    // Sizes that are computed, the heap.
    "{ int n = 1 + (E & 3); P w[n]; for (int i = 0; i < n; i++) w[i] = (P)(i + x0); r = r * 31u + w[(unsigned)(E) % (unsigned)n] + sizeof w; }",
    "{ P *m = malloc(4 * sizeof(P)); for (int i = 0; i < 4; i++) m[i] = (P)(i + x1); m[E & 3] = E; r = r * 31u + m[E & 3]; free(m); }",
    "{ struct S *m = calloc(2, sizeof *m); m[E & 1] = S; m[1].in = m[0].in; r = r * 31u + m[E & 1].a + (unsigned)m[0].b; free(m); }",
    "{ struct N *h = 0; for (int i = 0; i < 3; i++) { struct N *n = malloc(sizeof *n); n->next = h; n->v = E; h = n; } while (h) { struct N *n = h->next; r = r * 31u + h->v; free(h); h = n; } }",
    "{ P *m = __builtin_alloca(2 * sizeof(P)); m[0] = E; m[1] = 3; r = r * 31u + m[E & 1]; }",
    // Bytes.
    "{ memmove(&ls, &S, sizeof ls); r = r * 31u + (unsigned)ls.b + ls.c[1]; }",
    "{ memcpy(v, t + (E & 3), 4 * sizeof(P)); r = r * 31u + v[E & 7]; }",
    "{ memmove(t + (E & 3), t + (E & 3), (E & 3) * sizeof(P)); r = r * 31u + t[E & 7]; }",
    "{ memset(&lu, E, sizeof lu); r = r * 31u + lu.h[E & 3]; }",
    "{ memset((char *)u + (E & 3), E, 3); r = r * 31u + u[0]; }",
    "{ unsigned char b[8]; memcpy(b, (char *)t + (E & 3), sizeof(P)); memcpy(&g2, b, 1); for (unsigned i = 0; i < sizeof(P); i++) r = r * 31u + b[i]; }",
    "{ r = r * 31u + \"abcdef\"[(unsigned)(E) % 7u]; const char *s = E ? \"hello\" : \"wo\"; r += s[E & 1]; }",
    "{ char b[6] = \"abcde\"; b[(unsigned)(E) % 5u] = 0; r = r * 31u + strlen(b); }",
    "{ const char *s = E ? \"hello\" : \"help\"; r = r * 31u + strlen(s); }",
    // Builtins.
    "{ int o; r = r * 31u + __builtin_add_overflow((int)(E), (int)(E), &o); r += (unsigned)o; }",
    "{ unsigned o; r = r * 31u + __builtin_mul_overflow((long)(E), (int)(E), &o); r += o; }",
    "r = r * 31u + __builtin_popcount(E) + __builtin_clz((unsigned)(E) | 1u) + __builtin_bswap32(E);",
    "r = r * 31u + (E, E); g0 = (P)(E), g3 ^= g0;",
    "{ _Bool b = E, *q = &b; *q ^= E & 1; r = r * 31u + b; }",
];

/// Adds a statement made from a template.
pub fn statement(generator: &mut Generator) {
    let template = generator.random.pick(TEMPLATES);
    let label = generator.label().to_string();
    let mut text = String::new();
    let characters: Vec<char> = template.chars().collect();
    for (position, &c) in characters.iter().enumerate() {
        let alone = |at: Option<&char>| !at.is_some_and(|c| c.is_alphanumeric() || *c == '_' || *c == '\\');
        let word = alone(position.checked_sub(1).and_then(|before| characters.get(before))) && alone(characters.get(position + 1));
        match c {
            '@' => text += &label,
            'E' if word => text += &format!("({})", generator.expr(1)),
            'S' if word && !text.ends_with("struct ") => text += &generator.record(),
            'A' if word => text += generator.array(),
            c => text.push(c),
        }
    }
    generator.text += &format!("  {text}\n");
}
