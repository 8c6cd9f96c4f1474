// program: DIVERGES
static unsigned count;
static void again(void) {
    count += 2;
    if (count == 7)
        return;
    again();
}
int main(void) {
    again();
    return 0;
}
