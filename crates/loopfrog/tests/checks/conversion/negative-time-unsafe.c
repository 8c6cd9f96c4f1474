/* Seconds before the epoch in an unsigned type. */
extern int __VERIFIER_nondet_int(void);

struct stamp {
    double seconds;
};

int main(void)
{
    struct stamp stamp = {__VERIFIER_nondet_int() / 1000.0};
    unsigned long seconds = (unsigned long)stamp.seconds; // VIOLATED(conversion)
    return seconds == 60;
}
