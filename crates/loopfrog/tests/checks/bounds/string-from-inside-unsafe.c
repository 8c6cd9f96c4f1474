/* A pointer into a string that is one behind its end leads to no string. */
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(int argc, char *argv[])
{
    char *rest = 0;
    while (__VERIFIER_nondet_int()) {
        int k = __VERIFIER_nondet_int();
        if (k < 1 || k >= argc)
            return 1;
        unsigned long length = strlen(argv[k]), skipped = __VERIFIER_nondet_ulong(); // PROVED(bounds)
        if (skipped > length + 1)
            return 2;
        rest = argv[k] + skipped;
    }
    return rest ? (int)strlen(rest) : 0; // VIOLATED(bounds)
}
