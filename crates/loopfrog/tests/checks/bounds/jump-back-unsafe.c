/* A jump back to where setjmp returned, after variables have changed. */
#include <setjmp.h>

static jmp_buf place;
static volatile int count;

static void step(void)
{
    if (++count > 3)
        longjmp(place, 2);
}

int main(void)
{
    char marks[10];
    volatile int i = 0;
    if (setjmp(place) == 0) {
        marks[9] = 1; // PROVED(bounds)
        while (1) {
            i += 4;
            step();
        }
    } else {
        marks[i] = 2; // VIOLATED(bounds)
    }
    return 0;
}
