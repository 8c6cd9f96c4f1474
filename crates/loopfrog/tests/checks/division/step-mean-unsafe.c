/* A divisor that a loop counts up. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), count = 0, sum = 0;
    for (int i = 0; i < n && i < 1000; i++) {
        sum += i;
        count++;
    }
    if (n > -5)
        return sum / count; // VIOLATED(division)
    return 0;
}
