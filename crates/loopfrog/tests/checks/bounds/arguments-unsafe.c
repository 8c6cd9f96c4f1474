/* Behind the last argument there is none. */
#include <string.h>

int main(int argc, char **argv)
{
    int letters = 0;
    for (int k = 1; k <= argc; k++)
        letters += argv[k][0] == '-'; // VIOLATED(null)
    return letters != 0;
}
