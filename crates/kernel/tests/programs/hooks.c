// unwind: 3
// Constructors run before, destructors after; also if `exit` is called.
void reach_error(void);
_Noreturn void exit(int);
int x, y;
__attribute__((constructor)) void before(void) {
  for (unsigned i = 0; i != 10; i++)
    x++; // MAY
}
__attribute__((destructor)) void after(void) {
  if (x == 10)
    reach_error(); // MAY
}
int main(void) {
  if (x == 10)
    reach_error(); // MAY
  exit(0);
}
