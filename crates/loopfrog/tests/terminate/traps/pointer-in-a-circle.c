// program: DIVERGES
int main(void) {
    char ring[4];
    char *p = ring;
    while (p != ring + 5) { // DIVERGES
        p++;
        if (p == ring + 4)
            p = ring;
    }
    return 0;
}
