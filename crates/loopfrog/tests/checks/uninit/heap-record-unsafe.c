/* A record from the heap is filled in part. */
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

struct record {
    int key, size;
};

int main(void)
{
    struct record *record = malloc(sizeof *record);
    if (!record)
        return 1;
    record->key = 1;
    if (__VERIFIER_nondet_bool())
        record->size = 2;
    int key = record->key; // PROVED(uninit)
    int size = record->size; // VIOLATED(uninit)
    free(record);
    return key + size;
}
