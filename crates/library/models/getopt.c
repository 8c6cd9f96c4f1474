/* <getopt.h>, but for long options.
 *
 * Approximations: which options there are is arbitrary, and that the arguments are strings is taken for granted. Of those that trade places, two do. */

char *optarg = 0;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* Options come first. */
static void trade(char **arguments, int count) {
    int a = int_between(1, count - 1), b = int_between(1, count - 1);
    char *argument = arguments[a];
    arguments[a] = arguments[b];
    arguments[b] = argument;
}

/* The argument of an option: what follows it, or the next argument. */
static char *argument_of(char *const *arguments, int count) {
    char *argument = arguments[int_between(1, count - 1)];
    __CPROVER_assume(!__loopfrog_is_null(argument));
    size_t room = __loopfrog_size(argument) - (size_t)__loopfrog_offset(argument);
    size_t length = __loopfrog_find(argument, 0, room);
    __CPROVER_assume(length < room);
    return argument + size_between(0, length);
}

int getopt(int count, char *const *arguments, const char *options) {
    size_t length = string(options);
    if (count > 1)
        readable(arguments, (size_t)count * sizeof *arguments);
    int first = optind < 1 ? 1 : optind;
    optarg = 0;
    if (count > 1 && __loopfrog_nondet_bool())
        trade((char **)arguments, count);
    if (first >= count || __loopfrog_nondet_bool()) {
        optind = first >= count ? first : int_between(1, count);
        return -1;
    }
    optind = int_between(first, count);
    if (length == 0 || __loopfrog_nondet_bool()) {
        optopt = __loopfrog_nondet_char();
        return __loopfrog_nondet_bool() ? '?' : ':';
    }
    size_t which = size_between(0, length - 1);
    char option = options[which];
    __CPROVER_assume(option != ':');
    if (options[which + 1] == ':')
        optarg = options[which + 2] == ':' && __loopfrog_nondet_bool() ? 0 : argument_of(arguments, count);
    return (unsigned char)option;
}
