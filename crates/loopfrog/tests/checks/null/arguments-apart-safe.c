/* Each argument is looked at by its own number only. */
#include <string.h>

static int count(const char *text, const char *sign)
{
    int found = 0;
    for (; *text != '\0'; text++) // PROVED(null)
        found += *text == '&' ? (int)strlen(sign) : sign[0] == *text; // PROVED(null)
    return found;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    return argv[1][0] == '-' && argv[1][1] == '-' ? 0 : count(argv[1], argv[2]); // PROVED(null)
}
