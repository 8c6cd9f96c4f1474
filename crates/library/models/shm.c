/* <sys/shm.h>. Approximation: the segment that was asked for last is known, and is attached anew each time; what it holds is arbitrary. */

static int segment = -1;
static size_t segment_size;
static char *segment_memory;

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
    segment_memory = __loopfrog_allocate(segment_size);
    __loopfrog_havoc(segment_memory, segment_size);
    return segment_memory;
}

int shmdt(const void *memory) { return done_or_failed(); }

struct shmid_ds;

/* Only IPC_RMID and IPC_SET, which change nothing that the program sees. */
int shmctl(int number, int command, struct shmid_ds *to) {
    if (command != 0 && command != 1)
        __asm__("what is known of shared memory");
    return done_or_failed();
}
