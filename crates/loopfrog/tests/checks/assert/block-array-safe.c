/* An array that lives in the block of a loop, and is passed on by its address. */
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static int length(const char *s)
{
    int n = 0;
    while (s[n])
        n++;
    return n;
}

int main(void)
{
    int rounds = __VERIFIER_nondet_int(), longest = 0;
    for (int i = 0; i < rounds; i++) {
        char name[4];
        name[0] = 'a';
        name[1] = i % 2 ? 'b' : 0;
        name[2] = 0;
        int n = length(name); // PROVED(bounds)
        if (n > longest)
            longest = n;
    }
    assert(longest < 3); // PROVED(assert)
    return 0;
}
