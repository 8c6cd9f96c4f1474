// program: NOT(terminates)
// Assembly outside of functions may do anything, before main too.
__asm__(".section .init_array, \"aw\"");
int main(void) {
    for (int i = 0; i < 1000; i++)
        ;
    return 0;
}
