// program: DIVERGES
// That the loop is never left follows from variables of the program.
static unsigned odd = 3, rounds;

static void step(void) {
    rounds++;
    odd += 2 * (rounds % 3);
}

int main(void) {
    while (odd != 1000) // DIVERGES
        step();
    return 0;
}
