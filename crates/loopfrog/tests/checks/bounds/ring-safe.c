/* A ring buffer whose indices are members of a structure. */
extern int __VERIFIER_nondet_int(void);

struct ring {
    int first, count;
    int slot[32];
};

int main(void)
{
    struct ring ring = {0, 0, {0}};
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        ring.slot[ring.first] = i; // PROVED(bounds)
        ring.first++;
        if (ring.first == 32)
            ring.first = 0;
    }
    return 0;
}
