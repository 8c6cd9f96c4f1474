// program: TERMINATES
#include <stdlib.h>
static _Noreturn void stop(void) {
    _Exit(1);
}
int main(void) {
    while (1)
        stop();
}
