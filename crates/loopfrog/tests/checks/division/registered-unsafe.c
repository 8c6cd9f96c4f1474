/* Code that is not there gets a function, and may call it. */
extern void each(void (*action)(int));

static int last = 1;

static void note(int value)
{
    last = 12 / value; // MAY(division)
}

int main(void)
{
    each(note);
    return 3 / last; // MAY(division)
}
