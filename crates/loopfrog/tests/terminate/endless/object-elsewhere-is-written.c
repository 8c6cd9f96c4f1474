// The object that is only declared may be changed by others at any time; it is written here, and decides.
// program: NOT(diverges)
extern volatile int flag;
int main(void) {
    flag = 1;
    while (flag) // NOT(diverges)
        ;
    return 0;
}
