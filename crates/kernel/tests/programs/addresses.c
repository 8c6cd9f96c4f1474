// Integers made of addresses, and back.
void reach_error(void);
int __VERIFIER_nondet_int(void);
int a[4] = { 1, 2, 3, 4 }, b[4] = { 5, 6, 7, 8 };
int main(void) {
  int i = __VERIFIER_nondet_int() & 3;
  unsigned long n = (unsigned long)a + sizeof(int) * i;
  if (*(int *)n != i + 1)
    reach_error(); // PROVED
  if (*(int *)n == 3)
    reach_error(); // VIOLATED
  unsigned long between = (unsigned long)b - (unsigned long)a;
  int *p = (int *)((unsigned long)a + between);
  if (p != b)
    reach_error(); // PROVED
  *p = 9;
  if (b[0] == 9 && __VERIFIER_nondet_int())
    reach_error(); // VIOLATED
  if (a[0] == 9)
    reach_error(); // PROVED
  int *q = (int *)((unsigned long)a ^ between ^ between);
  *q = 7;
  if (a[0] == 7 && __VERIFIER_nondet_int())
    reach_error(); // VIOLATED
  if (b[0] == 7)
    reach_error(); // TODO-PROVED
  if ((unsigned long)a % 2 == 0)
    reach_error(); // MAY
}
