// program: DIVERGES
static int endless(int n) {
    return n == 0 ? 0 : endless(n);
}
int main(void) {
    return endless(3);
}
