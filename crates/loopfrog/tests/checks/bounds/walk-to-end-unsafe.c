/* The same one step too far: behind the end nothing tells where the string ends. */
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
    while (p < last + 2) {
        while (*p == '/') // VIOLATED(bounds)
            p++;
        if (p > last + 1)
            break;
        for (q = p; *q && *q != '/'; q++) // VIOLATED(bounds)
            ;
        if (*q)
            *q = 0;
        parts += strlen(p) > 1;
        p = q + 1;
    }
    return (int)parts;
}
