// program: DIVERGES
// Steps of 6 from 1 lead to odd numbers only, even where they wrap.
int main(void) {
    unsigned x = 1;
    while (x != 300) // DIVERGES
        x += 6;
    return 0;
}
