/* Each argument is looked at by its own number only. */
#include <string.h>

static int count(const char *text, const char *sign)
{
    int found = 0;
    for (; *text != '\0'; text++)
        found += *text == '&' ? (int)strlen(sign) : sign[0] == *text; // VIOLATED(null)
    return found;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    return argv[1][0] == '-' && argv[1][1] == '-' && argv[1][2] == '-' && argv[1][3] == '-' ? 0 : count(argv[1], argv[2]);
}
