// program: TERMINATES
// Non-Termination Proofs from Templates, section 8.4 names a program with nested loops that look endless: the inner one is left at once, and then the program ends.
#include <stdlib.h>
static int chosen;
static void choose(void) {
    while (1) {
        chosen = 1;
        break;
    }
}
int main(void) {
    while (1) { // TERMINATES
        choose();
        if (chosen != 0)
            abort();
    }
}
