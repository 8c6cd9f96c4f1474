// program: TERMINATES
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int v; };
int main(void) {
  struct node *head = malloc(sizeof *head), *p = head;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    p->next = malloc(sizeof *p);
    p = p->next;
    p->v = i;
  }
  p->next = NULL;
  int len = 0;
  for (p = head; p->next; p = p->next) // TERMINATES
    len++;
  while (head) { // TERMINATES
    p = head->next; free(head); head = p; }
  return 0;
}
