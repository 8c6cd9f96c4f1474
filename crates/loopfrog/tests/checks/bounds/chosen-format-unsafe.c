/* One of the formats that callers choose leaves too much room for names. */
#include <stdio.h>

static char line[32];

static void say(const char *format, const char *name)
{
    sprintf(line, format, name); // VIOLATED(bounds)
}

int main(int argc, char **argv)
{
    say("hello %.28s", argc > 1 ? argv[1] : "nobody");
    say("bye, %.20s!", argc > 2 ? argv[2] : "you");
    puts(line);
    return 0;
}
