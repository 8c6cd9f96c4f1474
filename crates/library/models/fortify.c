/* Functions that know how much room there is, as headers and compilers put them in place of the usual ones. The room is not looked at:
 * the preconditions of the usual functions are at least as strict. */

void *memcpy(void *, const void *, size_t);
void *mempcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
char *strcpy(char *, const char *);
char *stpcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);
char *fgets(char *, int, FILE *);
size_t fread(void *, size_t, size_t, FILE *);
ssize_t read(int, void *, size_t);
void explicit_bzero(void *, size_t);

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) { return memcpy(to, from, n); }
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room) { return mempcpy(to, from, n); }
void *__memmove_chk(void *to, const void *from, size_t n, size_t room) { return memmove(to, from, n); }
void *__memset_chk(void *to, int byte, size_t n, size_t room) { return memset(to, byte, n); }
char *__strcpy_chk(char *to, const char *from, size_t room) { return strcpy(to, from); }
char *__stpcpy_chk(char *to, const char *from, size_t room) { return stpcpy(to, from); }
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) { return strncpy(to, from, n); }
char *__strcat_chk(char *to, const char *from, size_t room) { return strcat(to, from); }
char *__strncat_chk(char *to, const char *from, size_t n, size_t room) { return strncat(to, from, n); }
char *__fgets_chk(char *to, size_t room, int n, FILE *stream) { return fgets(to, n, stream); }
ssize_t __read_chk(int number, void *to, size_t n, size_t room) { return read(number, to, n); }
size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream) { return fread(to, size, count, stream); }
void __explicit_bzero_chk(void *to, size_t n, size_t room) { explicit_bzero(to, n); }
