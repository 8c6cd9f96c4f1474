/* Where sizes were declared as `int`, or not at all, the library's functions stand for what is declared. */
extern int __VERIFIER_nondet_int(void);
char *memset(char *buffer, int value, int size);
unsigned long strlen(const char *text);
char *malloc();

int main(void)
{
    char here[64];
    memset(here, 'x', 63); // PROVED(bounds)
    here[63] = 0;
    here[strlen(here)] = '/'; // PROVED(bounds)
    int size = __VERIFIER_nondet_int();
    if (size < 1 || size > 100)
        return 2;
    char *copy = malloc(size);
    if (!copy)
        return 3;
    copy[size - 1] = 0; // PROVED(bounds)
    return 0;
}
