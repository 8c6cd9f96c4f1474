/* The same with widths that forget the zero byte, no widths, and objects that are too small. */
#include <stdio.h>
#include <string.h>

static int hour, minute;
static char name[16], line[64];

int main(int argc, char *argv[])
{
    short n = 0;
    char word[60], letter;
    if (argc > 1 && sscanf(argv[1], "%d:%d", &hour, &minute + argc) != 2) // MAY(bounds)
        return 1;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    sscanf(line, "%s %c", word, &letter); // MAY(bounds)
    if (scanf("%16s %ld", name, (long *)&n) == 2) // MAY(bounds)
        return name[strlen(name)];
    for (int i = 0; i < 8; i++)
        if (fscanf(stdin, "%*d %7[a-z]%n", word + 8 * i, &minute) < 1) // MAY(bounds)
            break;
    return hour > 0;
}
