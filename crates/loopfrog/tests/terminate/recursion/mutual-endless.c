// program: DIVERGES
static int pong(unsigned n);
static int ping(unsigned n) {
    return n == 0 ? 1 : pong(n - 1);
}
static int pong(unsigned n) {
    return n == 7 ? 0 : ping(n + 1);
}
int main(void) {
    return ping(5);
}
