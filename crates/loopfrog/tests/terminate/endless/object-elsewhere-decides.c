// Whether the loop ends is decided by an object that is only declared.
// program: NOT(diverges)
extern unsigned long ticks;
extern int table[];
int main(void) {
    unsigned n = 0;
    while (ticks == 0 && table[2] == 0) // NOT(diverges)
        n++;
    return 0;
}
