/* A complaint about a host, in a buffer. */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <syslog.h>

static void complain(const char *name, const struct hostent *host)
{
    char buffer[200];
    struct in_addr address;
    if (host->h_addrtype != AF_INET || host->h_length != (int)sizeof address)
        return;
    memcpy(&address, host->h_addr_list[0], sizeof address);
    snprintf(buffer, sizeof buffer, "%s: lame server %s (%s)", name, host->h_name, inet_ntoa(address));
    syslog(LOG_INFO, "%s", buffer);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    struct hostent *host = gethostbyname(argv[1]);
    if (!host)
        return 1;
    complain(argv[1], host);
    return 0;
}
