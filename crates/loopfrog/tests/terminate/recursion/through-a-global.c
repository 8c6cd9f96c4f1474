// program: DIVERGES
static int left = 10;
static void work(void) {
    if (left > 0) {
        left--;
        left++;
        work();
    }
}
int main(void) {
    work();
    return 0;
}
