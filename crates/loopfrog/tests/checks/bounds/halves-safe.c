/* Binary search in a sorted table. */
extern int __VERIFIER_nondet_int(void);

static int sorted[200];

int main(void)
{
    int key = __VERIFIER_nondet_int();
    int low = 0, high = 200;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] < key) // PROVED(bounds)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
