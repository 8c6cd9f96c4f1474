/* Greets each name on the command line. Can you see the mistake before Loopfrog does? */
#include <stdio.h>

#define NAME_MAX_LENGTH 16

/* Copies a string, and gives its length. */
static int copy(char *dst, const char *src)
{
    int i = 0;
    while (src[i] != '\0') {
        dst[i] = src[i];
        i++;
    }
    dst[i] = '\0';
    return i;
}

/* Makes the first letter of each word a capital. */
static void capitalise(char *text, int length)
{
    int start = 1;
    for (int i = 0; i < length; i++) {
        if (start && text[i] >= 'a' && text[i] <= 'z')
            text[i] -= 'a' - 'A';
        start = text[i] == ' ';
    }
}

int main(int argc, char **argv)
{
    char name[NAME_MAX_LENGTH];
    for (int i = 1; i < argc; i++) {
        int length = copy(name, argv[i]);
        capitalise(name, length);
        printf("Hello, %s!\n", name);
    }
    return 0;
}
