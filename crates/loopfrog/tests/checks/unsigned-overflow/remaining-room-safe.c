/* How much room is left. */
#include <string.h>

int main(int argc, char **argv)
{
    char buffer[5];
    if (argc < 2)
        return 1;
    size_t length = strlen(argv[1]);
    if (length > sizeof buffer)
        return 1;
    size_t room = sizeof buffer - length; // PROVED(unsigned-overflow)
    memset(buffer, 0, sizeof buffer);
    return room == 1;
}
