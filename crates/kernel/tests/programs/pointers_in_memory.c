// unwind: 20
// Pointers in unions, on the heap, in copies.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long), *calloc(unsigned long, unsigned long), *realloc(void *, unsigned long); void free(void *);
void *memcpy(void *, const void *, unsigned long), *memset(void *, int, unsigned long);
struct node { struct node *next; int v; };
struct tagged { int kind; union { int i; struct node *n; double d; } u; };
int depends(int **p, int n) { int *q = *p; *p = q + n; return *q; }
int main(void) {
  struct tagged t[2];
  memset(t, 0, sizeof t);
  struct node a = { 0, 5 }, b = { &a, 6 };
  t[0].kind = 1; t[0].u.n = &b;
  t[1].kind = 0; t[1].u.i = 42;
  struct tagged c = t[__VERIFIER_nondet_int() & 1];
  if (c.kind ? c.u.n->next->v != 5 : c.u.i != 42)
    reach_error(); // PROVED
  struct node **v = calloc(3, sizeof *v);
  if (v[2])
    reach_error(); // PROVED
  v[1] = &a;
  v = realloc(v, 5 * sizeof *v);
  if (v[1] != &a || v[1]->v != 5 || v[0])
    reach_error(); // PROVED
  v[4] = malloc(sizeof(struct node));
  *v[4] = b;
  if (v[4]->next != &a)
    reach_error(); // PROVED
  free(v[4]);
  free(v);
  int x[3] = { 1, 2, 3 }, *p = x;
  int s = depends(&p, 2) + depends(&p, -1);
  if (s != 4 || p != &x[1])
    reach_error(); // PROVED
  int *q[2] = { &x[0], &x[2] }, *w[2];
  memcpy(w, q, sizeof q);
  if (*w[1] != 3)
    reach_error(); // PROVED
  for (unsigned i = 0; i < sizeof q; i++)
    ((char *)w)[i] = ((char *)q)[i];
  if (*w[0] != 1)
    reach_error(); // TODO-PROVED
}
