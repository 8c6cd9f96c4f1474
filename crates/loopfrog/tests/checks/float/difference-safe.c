/* The difference of two readings, one of which may be missing (infinite). */
extern double __VERIFIER_nondet_double(void);

struct reading {
    double value;
    int valid;
};

static double difference(const struct reading *a, const struct reading *b)
{
    return a->valid && b->valid ? a->value - b->value : 0.0; // PROVED(float)
}

static struct reading read(void)
{
    struct reading reading = {__VERIFIER_nondet_double(), 0};
    reading.valid = reading.value > -1000.0 && reading.value < 1000.0;
    return reading;
}

int main(void)
{
    struct reading a = read(), b = read();
    return difference(&a, &b) > 0.5;
}
