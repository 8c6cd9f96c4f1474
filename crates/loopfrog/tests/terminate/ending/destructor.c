// program: DIVERGES
__attribute__((destructor)) static void after(void) {
    while (1)
        ;
}
int main(void) {
    return 0;
}
