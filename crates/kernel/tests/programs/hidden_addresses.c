// Addresses that are hidden in integers are still addresses.
void reach_error(void);
int __VERIFIER_nondet_int(void);
int a[4] = { 1, 2, 3, 4 }, b[4] = { 5, 6, 7, 8 };
unsigned long key;
int main(void) {
  key = (unsigned long)__VERIFIER_nondet_int();
  unsigned long hidden = (unsigned long)(__VERIFIER_nondet_int() ? a : b) ^ key;
  int *p = (int *)(hidden ^ key);
  *p = 7; // MAY
  if (a[0] == 7)
    reach_error(); // MAY
  if (b[0] == 7)
    reach_error(); // MAY
  unsigned long far = (unsigned long)b * 2 - (unsigned long)b;
  int *q = (int *)(far + 4);
  if (*q == 6)
    reach_error(); // MAY
}
