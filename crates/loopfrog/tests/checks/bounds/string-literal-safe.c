/* A string literal is constant, a copy of it is not. */
#include <string.h>

static void shout(char *text)
{
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] -= 32; // PROVED(bounds)
}

int main(void)
{
    char text[] = "frog";
    shout(text);
    return strlen(text) != 4; // PROVED(bounds)
}
