// The position of the next argument may depend on the path.
void reach_error(void);
int __VERIFIER_nondet_int(void);
int pick(int n, ...) {
  __builtin_va_list l;
  __builtin_va_start(l, n);
  int last = 0;
  for (int i = 0; i < n; i++)
    last = __builtin_va_arg(l, int);
  last += __builtin_va_arg(l, int);
  __builtin_va_end(l);
  return last;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 2)
    return 0;
  int r = pick(n, 10, 20, 30);
  if (r != (n == 0 ? 10 : n == 1 ? 30 : 50))
    reach_error(); // PROVED
  if (r == 30)
    reach_error(); // VIOLATED
}
