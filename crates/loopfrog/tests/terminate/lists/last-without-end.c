// program: NOT(terminates)
// flags: --engine orders,lists,run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int v; };
int main(void) {
  struct node *head = malloc(sizeof *head), *p = head;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    p->next = malloc(sizeof *p);
    p = p->next;
  }
  for (p = head; p; p = p->next) // NOT(terminates)
    ;
  return 0;
}
