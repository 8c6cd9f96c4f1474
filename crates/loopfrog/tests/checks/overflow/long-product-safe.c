// flags: --32
/* A product that fits long long, where long has 32 bits. */
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    short width = __VERIFIER_nondet_short(), height = __VERIFIER_nondet_short(), depth = __VERIFIER_nondet_short();
    long long volume = (long long)width * height * depth; // PROVED(overflow)
    return volume > 1000;
}
