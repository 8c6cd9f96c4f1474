/* The part of an array that was filled is read. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int values[100], sum = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 99)
        return 1;
    for (int i = 0; i < n; i++)
        values[i] = i;
    for (int i = 0; i < n; i++)
        sum ^= values[i]; // PROVED(uninit)
    return sum;
}
