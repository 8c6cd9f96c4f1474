/* `setjmp` returns twice, the second time after something changed. */
#include <setjmp.h>

static jmp_buf start;
static int divisor = 1;

int main(void)
{
    if (setjmp(start))
        return divisor == 0 ? 0 : 3 / divisor; // PROVED(division)
    divisor = 0;
    longjmp(start, 1);
}
