// program: TERMINATES
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[16] = {0}, x = __VERIFIER_nondet_int();
    int lo = 0, hi = 16;
    while (lo < hi) { // TERMINATES
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
