/* `setjmp` returns twice, the second time after something changed. */
#include <setjmp.h>

static jmp_buf start;
static int divisor = 1;

int main(void)
{
    if (setjmp(start))
        return 3 / divisor; // MAY(division)
    divisor = 0;
    longjmp(start, 1);
}
