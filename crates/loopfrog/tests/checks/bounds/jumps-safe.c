/* A loop made of jumps. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char marks[60];
    int i = 0, n = __VERIFIER_nondet_int();
again:
    if (i >= n)
        goto done;
    if (i == 60)
        goto done;
    marks[i] = 'x'; // PROVED(bounds)
    i++;
    goto again;
done:
    return 0;
}
