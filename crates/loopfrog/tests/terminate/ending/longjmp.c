// program: NOT(terminates)
#include <setjmp.h>
jmp_buf there;
int main(void) {
    setjmp(there);
    longjmp(there, 1);
}
