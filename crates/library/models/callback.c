/* Models for comparison functions that may change something: how often they are called is arbitrary, so these have loops. */

typedef int comparison(const void *, const void *);

/* The size of an array; more than any object's if it is beyond all sizes. */
static size_t array_size(size_t count, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? (size_t)-1 : bytes;
}

/* qsort. Approximation: the elements are arbitrary at each call and afterwards. */
void __loopfrog_qsort(void *base, size_t count, size_t size, comparison *compare) {
    if (count == 0 || size == 0)
        return;
    size_t bytes = array_size(count, size);
    readable(base, bytes);
    writable(base, bytes);
    while (count > 1 && __loopfrog_nondet_bool()) {
        compare((char *)base + size_between(0, count - 1) * size, (char *)base + size_between(0, count - 1) * size);
        __loopfrog_havoc(base, bytes);
    }
}

/* bsearch. Approximation: any elements are looked at, and the last of them may be the one. */
void *__loopfrog_bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare) {
    readable(base, array_size(count, size));
    while (count > 0 && __loopfrog_nondet_bool()) {
        char *element = (char *)base + size_between(0, count - 1) * size;
        if (compare(key, element) == 0)
            return element;
    }
    return 0;
}
