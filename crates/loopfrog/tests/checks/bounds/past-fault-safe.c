/* The same with a loop that stays in its object. */
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static char line[16], copy[64];
static int count[8];

int main(int argc, char *argv[])
{
    int length = 1;
    for (char *p = argv[argc > 1]; *p && length < 16; p++)
        line[length++] = *p; // PROVED(bounds)
    int last = line[length - 1]; // PROVED(bounds)
    int sum = 0;
    for (int i = 0; i < 8; i++)
        count[i] = __VERIFIER_nondet_int() & 7; // PROVED(bounds)
    for (int i = 0; i < 8; i++)
        sum += count[count[i] & 7]; // PROVED(bounds)
    int n = 0;
    while (n < 63 && __VERIFIER_nondet_int())
        copy[n++] = (char)last; // PROVED(bounds)
    copy[n] = 0; // PROVED(bounds)
    copy[length] = 1; // PROVED(bounds)
    return sum;
}
