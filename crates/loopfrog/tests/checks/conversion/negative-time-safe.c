/* Seconds before the epoch in an unsigned type. */
extern int __VERIFIER_nondet_int(void);

struct stamp {
    double seconds;
};

int main(void)
{
    struct stamp stamp = {__VERIFIER_nondet_int() / 1000.0};
    if (stamp.seconds < 0)
        return 1;
    unsigned long seconds = (unsigned long)stamp.seconds; // PROVED(conversion)
    return seconds == 60;
}
