/* qsort, bsearch and random numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    calls++;
    return (x > y) - (x < y);
}

struct item {
    int key;
    char name[44];
};

static int by_key(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    printf("(%s %s)", x->name, y->name);
    return x->key - y->key;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void) {
    int numbers[200];
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    srand(42);
    for (int i = 0; i < 200; i++)
        numbers[i] = rand() % 1000;
    qsort(numbers, 200, sizeof *numbers, by_value);
    printf("%d:", calls);
    for (int i = 0; i < 200; i++)
        printf(" %d", numbers[i]);
    putchar('\n');
    for (int key = 0; key < 1000; key += 97) {
        int *found = bsearch(&key, numbers, 200, sizeof *numbers, by_value);
        printf("%d ", found ? (int)(found - numbers) : -1);
    }
    printf("%d\n", calls);
    struct item items[] = {{3, "a"}, {1, "b"}, {3, "c"}, {2, "d"}, {1, "e"}, {2, "f"}, {3, "g"}};
    qsort(items, 7, sizeof *items, by_key);
    putchar('\n');
    for (int i = 0; i < 7; i++)
        printf("%d%s ", items[i].key, items[i].name);
    const char *words[] = {"pear", "apple", "fig", "banana", "cherry"};
    qsort(words, 5, sizeof *words, by_text);
    for (int i = 0; i < 5; i++)
        printf("%s ", words[i]);
    putchar('\n');
    srandom(7);
    unsigned seed = 1;
    srand48(3);
    for (int i = 0; i < 5; i++) {
        printf("%ld %d ", random(), rand_r(&seed));
        printf("%ld ", lrand48());
        printf("%ld ", mrand48());
        printf("%f\n", drand48());
    }
    return 0;
}
