/* The digits of a number, the last one first, by a loop with its test at the end. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned number = __VERIFIER_nondet_uint();
    char digits[6];
    int count = 0;
    do {
        if (count == 16)
            break;
        digits[count++] = '0' + number % 10; // VIOLATED(bounds)
        number /= 10;
    } while (number > 0);
    return digits[0];
}
