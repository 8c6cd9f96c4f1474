/* A file that cannot be opened. */
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("frogs.txt", "r");
    int c = fgetc(file); // VIOLATED(null)
    fclose(file);
    return c == 'q';
}
