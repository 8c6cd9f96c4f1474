/* Memory that processes share. */
#include <sys/ipc.h>
#include <sys/shm.h>

int main(void)
{
    int segment = shmget(IPC_PRIVATE, 10, 0600);
    if (segment < 0)
        return 1;
    char *memory = shmat(segment, 0, 0);
    if (memory == (char *)-1)
        return 1;
    memory[10] = 'A'; // not proved
    shmdt(memory);
    return shmctl(segment, IPC_RMID, 0);
}
