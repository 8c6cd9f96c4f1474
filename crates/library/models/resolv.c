/* <resolv.h> and <arpa/nameser.h>. What name servers say is arbitrary. */

int res_init(void) { return done_or_failed(); }

int __res_init(void) { return done_or_failed(); }

/* The length of the answer, of which only as much as there is room for was stored. */
static int answered(unsigned char *answer, int room) {
    if (room > 0) {
        writable(answer, (size_t)room);
        __loopfrog_havoc(answer, (size_t)room);
    }
    return __loopfrog_nondet_bool() ? -1 : int_between(0, 65535);
}

int res_query(const char *name, int kind, int type, unsigned char *answer, int room) {
    string(name);
    return answered(answer, room);
}

int res_search(const char *name, int kind, int type, unsigned char *answer, int room) {
    string(name);
    return answered(answer, room);
}

int res_send(const unsigned char *question, int length, unsigned char *answer, int room) {
    if (length > 0)
        readable(question, (size_t)length);
    return answered(answer, room);
}

/* How many bytes a compressed name takes, which lie before the end of the message; a name of less than 256 characters goes to the buffer. */
int dn_expand(const unsigned char *message, const unsigned char *end, const unsigned char *from, char *to, int room) {
    if (room > 0) {
        writable(to, (size_t)room);
        __loopfrog_havoc(to, (size_t)room);
    }
    if (__loopfrog_nondet_bool()) {
        set_errno();
        return -1;
    }
    __CPROVER_assume(room > 0 && __loopfrog_same_object(from, end) && from < end);
    readable(from, (size_t)(end - from));
    write_text(to, size_between(0, least((size_t)room - 1, 1024)));
    return int_between(1, end - from > 255 ? 255 : (int)(end - from));
}

int dn_comp(const char *name, unsigned char *to, int room, unsigned char **names, unsigned char **last) {
    string(name);
    if (names || last)
        __asm__("compressed names with a table");
    if (room > 0) {
        writable(to, (size_t)room);
        __loopfrog_havoc(to, (size_t)room);
    }
    return room <= 0 || __loopfrog_nondet_bool() ? -1 : int_between(1, room);
}

int dn_skipname(const unsigned char *from, const unsigned char *end) {
    if (__loopfrog_nondet_bool())
        return -1;
    __CPROVER_assume(__loopfrog_same_object(from, end) && from < end);
    readable(from, (size_t)(end - from));
    return int_between(1, end - from > 255 ? 255 : (int)(end - from));
}

unsigned ns_get16(const unsigned char *from) {
    readable(from, 2);
    return (unsigned)from[0] << 8 | from[1];
}

unsigned long ns_get32(const unsigned char *from) {
    readable(from, 4);
    return (unsigned long)from[0] << 24 | (unsigned long)from[1] << 16 | (unsigned long)from[2] << 8 | from[3];
}

void ns_put16(unsigned n, unsigned char *to) {
    writable(to, 2);
    to[0] = (unsigned char)(n >> 8);
    to[1] = (unsigned char)n;
}

void ns_put32(unsigned long n, unsigned char *to) {
    writable(to, 4);
    to[0] = (unsigned char)(n >> 24);
    to[1] = (unsigned char)(n >> 16);
    to[2] = (unsigned char)(n >> 8);
    to[3] = (unsigned char)n;
}
