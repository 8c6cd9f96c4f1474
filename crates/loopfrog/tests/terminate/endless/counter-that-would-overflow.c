// program: NOT(terminates) NOT(diverges)
// A signed number leaves its range after many rounds: what happens then has no meaning.
int main(void) {
    int rounds = 0;
    while (1) // NOT(diverges)
        rounds++;
    return rounds;
}
