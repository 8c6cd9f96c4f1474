// flags: --engine order-any
// program: TERMINATES
// Table 5, domain 2: a pointer moves on.
int main(void) {
    char text[20] = "nineteen characters";
    char *p = text;
    while (p < text + 20) // TERMINATES
        p++;
    return 0;
}
