// program: DIVERGES
__attribute__((constructor)) static void before(void) {
    while (1)
        ;
}
int main(void) {
    return 0;
}
