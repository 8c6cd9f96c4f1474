// What a shift by the width of a number gives is not said: machines differ.
static int g = 6;

int main(void)
{
    int a[2] = {0}, by = 0;
    while (by < 32)
        by++;
    g -= 1 << (by - 31);
    if (g & 2)
        return 0;
    a[1] = g; // PROVED(bounds)
    return a[0];
}
