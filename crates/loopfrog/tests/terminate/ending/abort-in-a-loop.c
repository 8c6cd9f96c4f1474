// program: TERMINATES
#include <stdlib.h>
int main(void) {
    for (;;)
        abort();
}
