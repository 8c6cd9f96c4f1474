// program: TERMINATES
// Nobody calls it.
void never_called(void) {
    while (1)
        ;
}
int main(void) {
    return 0;
}
