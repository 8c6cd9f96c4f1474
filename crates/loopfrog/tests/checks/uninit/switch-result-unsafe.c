/* A switch without default. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int legs;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        legs = 4;
        break;
    case 1:
        legs = 2;
        break;
    }
    return legs; // VIOLATED(uninit)
}
