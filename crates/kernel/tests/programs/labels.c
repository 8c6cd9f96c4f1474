// Labels have addresses that tables hold.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void static_table(void) {
  static void *const table[] = { &&a, &&b };
  int x = 1;
  goto *table[__VERIFIER_nondet_int() & 1];
a:
  x = 2;
b:
  if (x > 1)
    reach_error(); // VIOLATED
  if (x > 2)
    reach_error(); // PROVED
}
void differences(void) {
  static const int table[] = { &&a - &&a, &&b - &&a };
  int x = 1;
  goto *(&&a + table[__VERIFIER_nondet_int() & 1]);
a:
  x = 2;
b:
  if (x > 1)
    reach_error(); // VIOLATED
  if (x > 2)
    reach_error(); // PROVED
}
int main(void) {
  static_table();
  differences();
}
