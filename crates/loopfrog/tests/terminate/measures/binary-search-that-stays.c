// program: DIVERGES
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), a[16] = {0};
    int lo = 0, hi = 16;
    while (lo < hi) { // DIVERGES
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < x)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}
