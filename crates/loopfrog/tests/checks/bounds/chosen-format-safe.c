/* A format that callers choose is looked at as if it stood in the call. */
#include <stdio.h>

static char line[32];

static void say(const char *format, const char *name)
{
    sprintf(line, format, name); // PROVED(bounds)
}

int main(int argc, char **argv)
{
    say("hello %.8s", argc > 1 ? argv[1] : "nobody");
    say("bye, %.20s!", argc > 2 ? argv[2] : "you");
    puts(line); // PROVED(bounds)
    return 0;
}
