/* Behind the last argument there is none, and an argument may be empty. */
#include <string.h>

int main(int argc, char **argv)
{
    int letters = 0;
    for (int k = 1; k <= argc; k++)
        letters += argv[k][0] == '-'; // VIOLATED(null)
    for (int k = 1; k < argc; k++)
        letters += argv[k][1] == 'v'; // MAY(bounds)
    return letters != 0;
}
