// A number in memory that is read as a pointer leads nowhere.
void reach_error(void);
int __VERIFIER_nondet_int(void);
int a[4], b[4];
union { int *p; unsigned long n; } u;
int main(void) {
  u.n = (unsigned long)__VERIFIER_nondet_int() << 40;
  if (u.p == a)
    reach_error(); // MAY
  u.n = 5;
  if (u.p != (int *)5)
    reach_error(); // PROVED
  u.p = 0;
  if (u.n != 0)
    reach_error(); // PROVED
  u.n = (unsigned long)a;
  if (u.p != a)
    reach_error(); // TODO-PROVED
}
