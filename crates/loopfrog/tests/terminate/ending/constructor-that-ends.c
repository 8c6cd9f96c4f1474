// program: TERMINATES
static int ready;
__attribute__((constructor)) static void before(void) {
    while (ready < 3) // TERMINATES
        ready++;
}
int main(void) {
    return ready;
}
