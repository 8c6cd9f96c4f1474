/* A switch that is said to be complete. */
extern unsigned __VERIFIER_nondet_uint(void);

static int sides(unsigned shape)
{
    switch (shape) {
    case 0:
        return 1;
    case 1:
        return 3;
    case 2:
        return 4;
    }
    __builtin_unreachable(); // VIOLATED(unreachable)
}

int main(void)
{
    return sides(__VERIFIER_nondet_uint() % 4);
}
