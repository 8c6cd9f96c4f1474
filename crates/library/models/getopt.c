/* getopt of <unistd.h>. Approximation: which option comes next, and where its argument is, is arbitrary. */

char *optarg = 0;
int optind = 1;
int opterr = 1;
int optopt = '?';

int getopt(int count, char *const *arguments, const char *options) {
    size_t known = string(options);
    if (optind < 1)
        optind = 1;
    int before = optind;
    optind = __loopfrog_nondet_int();
    __CPROVER_assume(optind >= before && (optind <= count || optind == before));
    if (__loopfrog_nondet_bool())
        return -1;
    __CPROVER_assume(before < count);
    optarg = 0;
    optopt = (unsigned char)__loopfrog_nondet_char();
    if (__loopfrog_nondet_bool())
        return __loopfrog_nondet_bool() ? '?' : ':';
    size_t chosen = __loopfrog_nondet_size();
    __CPROVER_assume(chosen < known && options[chosen] != ':');
    if (__loopfrog_nondet_bool()) {
        char *argument = arguments[int_between(before, count - 1)];
        optarg = argument + size_between(0, string(argument));
    }
    return (unsigned char)options[chosen];
}
