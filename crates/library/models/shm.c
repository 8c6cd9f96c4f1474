/* <sys/shm.h>. Approximation: the segment that was asked for last is known, and what it holds when it is attached is arbitrary. Nobody else writes to it
 * while it is attached. */

static int segment = -1;
static size_t segment_size;
static char *segment_memory;
static _Bool is_attached;

int shmget(int key, size_t size, int flags) {
    if (__loopfrog_nondet_bool()) {
        set_errno();
        return -1;
    }
    segment = int_between(0, 2147483647);
    segment_size = size;
    return segment;
}

void *shmat(int number, const void *address, int flags) {
    if (__loopfrog_nondet_bool()) {
        set_errno();
        return (void *)-1;
    }
    __CPROVER_assume(number >= 0);
    if (number != segment)
        __asm__("shared memory that was asked for earlier or elsewhere");
    if (is_attached)
        __asm__("shared memory that is attached twice");
    segment_memory = __loopfrog_allocate(segment_size);
    is_attached = 1;
    __loopfrog_havoc(segment_memory, segment_size);
    return segment_memory;
}

/* It is gone then, like an object that is freed. */
int shmdt(const void *memory) {
    if (!is_attached || memory != segment_memory)
        __asm__("shared memory that is not the last that was attached");
    if (done_or_failed() != 0)
        return -1;
    __loopfrog_free(segment_memory);
    is_attached = 0;
    return 0;
}

struct shmid_ds;

/* Only IPC_RMID and IPC_SET, which change nothing that the program sees. */
int shmctl(int number, int command, struct shmid_ds *to) {
    if (command != 0 && command != 1)
        __asm__("what is known of shared memory");
    return done_or_failed();
}
