// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
typedef struct node { int h; struct node *n; } *List;
int main(void) {
  List a = (List) malloc(sizeof(struct node));
  if (a == 0) exit(1);
  List t, p = a;
  int i = __VERIFIER_nondet_int();
  while (i-- > 0) {
    p->h = 1;
    t = (List) malloc(sizeof(struct node));
    if (t == 0) exit(1);
    p->n = t;
    p = p->n;
  }
  p->h = 3;
  p->n = 0;
  p = a;
  while (p != 0) { // TERMINATES
    if (p->h != 2) p = p->n; else return 1;
  }
  return 0;
}
