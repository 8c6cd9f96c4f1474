/* Code that is not there gets a function, and may call it. */
extern void each(void (*action)(int));

static int last = 1;

static void note(int value)
{
    last = value == 0 ? 1 : 12 / value; // TODO-PROVED(division)
}

int main(void)
{
    each(note);
    return last == 0 ? 0 : 3 / last; // TODO-PROVED(division)
}
