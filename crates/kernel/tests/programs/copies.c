// Copies of records, whatever their members share.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);
struct pair { int a, b; } s = { 1, 2 }, t = { 3, 4 };
struct rows { int x; int a[2]; int b[2]; } r = { 1, { 2, 3 }, { 4, 5 } }, w;
struct rows by_value(struct rows v) {
  int *p = &v.a[__VERIFIER_nondet_int() & 1];
  *p = 9;
  return v;
}
int main(void) {
  int *p = __VERIFIER_nondet_int() ? &s.a : &t.b;
  *p = 7;
  memcpy(&s.a, &t.a, sizeof(int));
  if (s.a != 3)
    reach_error(); // PROVED
  int *q = __VERIFIER_nondet_int() ? &r.a[1] : __VERIFIER_nondet_int() ? &r.b[0] : &r.x;
  if (*q > 4)
    reach_error(); // PROVED
  w = r;
  struct rows local = w;
  int *z = __VERIFIER_nondet_int() ? &local.a[1] : __VERIFIER_nondet_int() ? &local.b[0] : &local.x;
  *z += 0;
  if (local.x != 1 || local.a[0] != 2 || local.a[1] != 3 || local.b[0] != 4 || local.b[1] != 5)
    reach_error(); // PROVED
  local = by_value(w);
  if (local.a[0] != 9 && local.a[1] != 9)
    reach_error(); // PROVED
  if (local.b[1] != 5 || local.x != 1 || w.a[0] != 2)
    reach_error(); // PROVED
  if (local.a[0] != 9)
    reach_error(); // VIOLATED
}
