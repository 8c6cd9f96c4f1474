// kinds: uninit
// What was not written is not written after a copy either.
struct s { char c; int x; } g;
struct bits { int a : 3, b : 5; } h;
int missing(int x) {
  if (x)
    return 1;
}
struct s copy(struct s s) { return s; }
int main(void) {
  struct s l, m;
  l.c = 1;
  g = l;
  m = copy(g);
  int r = g.c + m.c; // PROVED
  r += g.x; // VIOLATED
  r += m.x; // VIOLATED
  struct bits k;
  k.a = 1;
  h = k;
  r += h.a; // PROVED
  r += h.b; // VIOLATED
  int a[2][2], b[2][2], (*p)[2] = b;
  a[0][1] = 3;
  struct { int a[2][2]; } v, w, *q = &w;
  v.a[1][0] = 1;
  *q = v;
  r += w.a[1][0]; // PROVED
  r += w.a[1][1]; // VIOLATED
  r += missing(1); // PROVED
  r += missing(0); // VIOLATED
  return r;
}
