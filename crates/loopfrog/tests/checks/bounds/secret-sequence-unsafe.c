/* Many inputs in a row must be right to come to the last access. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int marks[50], i = 0;
    while (i < 60) {
        if (__VERIFIER_nondet_int() != 3 * i + 1)
            break;
        i++;
    }
    if (i >= 50 && i < 52)
        marks[i] = 1; // VIOLATED(bounds)
    return 0;
}
