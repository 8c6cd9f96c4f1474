// program: DIVERGES
int limit = 10;
static void reset(int *p) {
    *p = 10;
}
int main(void) {
    while (limit > 0) { // DIVERGES
        limit--;
        reset(&limit);
    }
    return 0;
}
