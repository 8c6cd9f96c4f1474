/* What scanf and its relatives store: numbers where there is room, words with a width, words of a text that is no longer than the room. */
#include <stdio.h>
#include <string.h>

static int hour, minute;
static char name[16], line[64];

int main(int argc, char *argv[])
{
    long n = 0;
    char word[64], letter;
    if (argc > 1 && sscanf(argv[1], "%d:%d", &hour, &minute) != 2) // PROVED(bounds)
        return 1;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    sscanf(line, "%s %c", word, &letter); // PROVED(bounds)
    if (scanf("%15s %ld", name, &n) == 2) // PROVED(bounds)
        return name[strlen(name)]; // PROVED(bounds)
    for (int i = 0; i < 8; i++)
        if (fscanf(stdin, "%*d %7[a-z]%n", word + 8 * i / 2, &minute) < 1) // PROVED(bounds)
            break;
    return hour > 0;
}
