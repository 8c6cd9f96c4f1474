/* A text from the answer of a name server. */
#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

static int first_text(const unsigned char *answer, int length, char *to, int room)
{
    const unsigned char *p = answer + 12, *end = answer + length;
    char host[1025];
    int n, type, size;
    if (length < 12 || (n = dn_expand(answer, end, p, host, sizeof host)) < 0)
        return -1;
    p += n;
    if (end - p < 10)
        return -1;
    type = ns_get16(p);
    p += 8;
    size = ns_get16(p);
    p += 2;
    if (type != 16 || size < 1 || size > end - p)
        return -1;
    n = *p;
    if (n > size - 1)
        return -1;
    memcpy(to, p + 1, n); // not proved
    to[n] = 0; // not proved
    return n;
}

int main(int argc, char **argv)
{
    unsigned char answer[512];
    char text[100];
    if (argc < 2)
        return 1;
    int length = res_query(argv[1], 1, 16, answer, sizeof answer);
    if (length < 0)
        return 1;
    if (length > (int)sizeof answer)
        length = sizeof answer;
    return first_text(answer, length, text, sizeof text) < 0;
}
