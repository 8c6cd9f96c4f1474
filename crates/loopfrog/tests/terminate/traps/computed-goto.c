// program: DIVERGES
int main(void) {
    void *next = &&again;
again:
    goto *next;
    return 0;
}
