/* A file that cannot be opened. */
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("frogs.txt", "r");
    if (!file)
        return 1;
    int c = fgetc(file); // PROVED(null)
    fclose(file); // PROVED(null)
    return c == 'q';
}
