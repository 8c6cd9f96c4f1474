/* A stream is memory too. */
#include <stdio.h>

int main(void)
{
    FILE *log = fopen("log", "w");
    if (!log)
        return 1; // PROVED(leak)
    fputs("started\n", log);
    fclose(log);
    return 0; // PROVED(leak)
}
