void reach_error(void);
int atexit(void (*)(void));
_Noreturn void exit(int);
int x;
__attribute__((destructor)) void after(void) {
  if (x == 2)
    reach_error(); // VIOLATED
  if (x == 1)
    reach_error(); // PROVED
}
void registered(void) {
  if (x != 1)
    reach_error(); // PROVED
  x = 2;
}
int main(void) {
  atexit(registered);
  x = 1;
  exit(0);
}
