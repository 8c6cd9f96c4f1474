/* An operator and two operands from the command line. */
#include <string.h>

static int calculate(char operator, int left, int right)
{
    switch (operator) {
    case '+':
        return left + right;
    case '/':
        return right == 0 ? 0 : left / right; // PROVED(division)
    default:
        return 0;
    }
}

int main(int argc, char **argv)
{
    if (argc != 2 || strlen(argv[1]) != 3)
        return 1;
    return calculate(argv[1][1], argv[1][0] - '0', argv[1][2] - '0');
}
