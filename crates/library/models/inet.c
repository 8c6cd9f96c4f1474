/* <arpa/inet.h>: the order of bytes. */

unsigned htonl(unsigned n) { return __builtin_bswap32(n); }

unsigned ntohl(unsigned n) { return __builtin_bswap32(n); }

unsigned short htons(unsigned short n) { return __builtin_bswap16(n); }

unsigned short ntohs(unsigned short n) { return __builtin_bswap16(n); }
