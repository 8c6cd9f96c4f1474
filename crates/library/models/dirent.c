/* <dirent.h>. What is in a directory is arbitrary. */

struct dirent {
    unsigned long d_ino;
    long d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};

/* What is read belongs to the directory, and is gone when that is closed. */
typedef struct { struct dirent entry; } DIR;

DIR *opendir(const char *name) {
    string(name);
    if (done_or_failed() != 0)
        return 0;
    return __loopfrog_allocate(sizeof(DIR));
}

static void opened(DIR *directory) {
    __loopfrog_assert(!nowhere(directory), "null: the directory was not opened");
    __loopfrog_assert(__loopfrog_alive(directory), "dangling: the directory was closed before");
}

struct dirent *readdir(DIR *directory) {
    opened(directory);
    if (__loopfrog_nondet_bool()) {
        if (__loopfrog_nondet_bool())
            set_errno();
        return 0;
    }
    struct dirent *entry = &directory->entry;
    __loopfrog_havoc(entry, sizeof *entry);
    entry->d_name[255] = 0;
    return entry;
}

void rewinddir(DIR *directory) { opened(directory); }

int closedir(DIR *directory) {
    opened(directory);
    __loopfrog_free(directory);
    return done_or_failed();
}
