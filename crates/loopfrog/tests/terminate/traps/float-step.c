// program: DIVERGES
// The step is too small to change the number.
int main(void) {
    float x = 16777216.0f;
    while (x < 16777220.0f) // DIVERGES
        x += 0.5f;
    return 0;
}
