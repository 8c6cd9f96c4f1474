/* A loop that ends only by returning. */
#include <stdio.h>

static int first_letter(void)
{
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        if (c == EOF)
            return 0;
        if (c >= 'a' && c <= 'z')
            return c;
    }
    __builtin_unreachable(); // VIOLATED(unreachable)
}

int main(void)
{
    return first_letter() == 'q';
}
