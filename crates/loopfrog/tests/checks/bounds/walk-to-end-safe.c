/* A string is walked through up to a pointer to its end, which only that tells to be one. */
#include <string.h>

int main(int argc, char **argv)
{
    char work[128], *p, *q, *last;
    unsigned parts = 0;
    if (argc < 2 || strlen(argv[1]) >= sizeof work)
        return 1;
    strcpy(work, argv[1]);
    last = work + strlen(work);
    p = work;
    while (p < last) {
        while (*p == '/') // PROVED(bounds)
            p++;
        if (!*p)
            break;
        for (q = p; *q && *q != '/'; q++) // PROVED(bounds)
            ;
        if (*q)
            *q = 0;
        parts += strlen(p) > 1; // PROVED(bounds)
        p = q + 1;
    }
    return (int)parts;
}
