/* <netdb.h>, <arpa/inet.h>, <netinet/in.h>. What the network says is arbitrary. The next call overwrites what the last one
 * returned, and what that leads to is gone. */

struct hostent {
    char *h_name;
    char **h_aliases;
    int h_addrtype;
    int h_length;
    char **h_addr_list;
};

struct servent {
    char *s_name;
    char **s_aliases;
    int s_port;
    char *s_proto;
};

struct in_addr {
    unsigned s_addr;
};

/* So many pointers and a null pointer behind them. Approximation: they lead anywhere. */
static char **renewed_list(char ***place, size_t count) {
    if (*place)
        __loopfrog_free(*place);
    char **pointers = __loopfrog_allocate((count + 1) * sizeof *pointers);
    __loopfrog_havoc(pointers, count * sizeof *pointers);
    pointers[count] = 0;
    *place = pointers;
    return pointers;
}

static struct hostent host;
static char *host_name, *host_address, **host_aliases, **host_addresses;
int h_errno = 0;

int *__h_errno_location(void) { return &h_errno; }

static struct hostent *host_or_none(void) {
    if (__loopfrog_nondet_bool()) {
        h_errno = __loopfrog_nondet_int();
        return 0;
    }
    _Bool long_address = __loopfrog_nondet_bool();
    host.h_name = renewed_text(&host_name);
    host.h_aliases = renewed_list(&host_aliases, size_between(0, 65535));
    host.h_addrtype = long_address ? 10 : 2;
    host.h_length = long_address ? 16 : 4;
    if (host_address)
        __loopfrog_free(host_address);
    host_address = __loopfrog_allocate((size_t)host.h_length);
    __loopfrog_havoc(host_address, (size_t)host.h_length);
    host.h_addr_list = renewed_list(&host_addresses, size_between(1, 65535));
    host.h_addr_list[0] = host_address;
    return &host;
}

struct hostent *gethostbyname(const char *asked) {
    string(asked);
    return host_or_none();
}

struct hostent *gethostbyaddr(const void *address, unsigned length, int type) {
    readable(address, length);
    return host_or_none();
}

static struct servent service;
static char *service_name, *service_protocol, **service_aliases;

struct servent *getservbyname(const char *asked, const char *protocol) {
    string(asked);
    if (protocol)
        string(protocol);
    if (__loopfrog_nondet_bool())
        return 0;
    service.s_name = renewed_text(&service_name);
    service.s_aliases = renewed_list(&service_aliases, size_between(0, 65535));
    service.s_port = int_between(0, 65535);
    service.s_proto = renewed_text(&service_protocol);
    return &service;
}

unsigned inet_addr(const char *text) {
    string(text);
    return (unsigned)__loopfrog_nondet_int();
}

int inet_aton(const char *text, struct in_addr *to) {
    string(text);
    if (__loopfrog_nondet_bool())
        return 0;
    writable(to, sizeof *to);
    to->s_addr = (unsigned)__loopfrog_nondet_int();
    return 1;
}

static char dotted[16];

char *inet_ntoa(struct in_addr address) {
    write_text(dotted, size_between(7, 15));
    return dotted;
}

int inet_pton(int family, const char *text, void *to) {
    string(text);
    if (__loopfrog_nondet_bool())
        return family == 2 || family == 10 ? 0 : -1;
    __CPROVER_assume(family == 2 || family == 10);
    writable(to, family == 2 ? 4 : 16);
    __loopfrog_havoc(to, family == 2 ? 4 : 16);
    return 1;
}

const char *inet_ntop(int family, const void *address, char *to, unsigned size) {
    if (__loopfrog_nondet_bool()) {
        set_errno();
        return 0;
    }
    __CPROVER_assume((family == 2 || family == 10) && size > 2);
    readable(address, family == 2 ? 4 : 16);
    writable(to, size);
    write_text(to, size_between(2, least(size - 1, family == 2 ? 15 : 45)));
    return to;
}
