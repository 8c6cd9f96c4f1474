// The bytes of a pointer are those of an address, which nobody knows.
void reach_error(void);
int a[4];
int main(void) {
  union { int *p; unsigned long n; unsigned char c[8]; } u;
  u.p = &a[1];
  if (u.n % 4096 != 4)
    reach_error(); // MAY
  if (u.c[0] != 4)
    reach_error(); // MAY
  if (u.n >> 44)
    reach_error(); // MAY
  if ((u.n & 0xffffffff) != 4)
    reach_error(); // MAY
  int *q = &a[2];
  if (*(unsigned char *)&q != 8)
    reach_error(); // MAY
  u.n = 0x10000000000 * 3;
  if (u.p == &a[0])
    reach_error(); // MAY
}
