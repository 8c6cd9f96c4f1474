/* <getopt.h>.
 *
 * Approximations: which options there are is arbitrary; that the arguments are strings, and that a list of long options has an end, is taken for
 * granted. Of those that trade places, two do. */

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

/* Looks at the arguments; false if there are no more options. */
static int option_follows(int count, char *const *arguments) {
    if (count > 1)
        readable(arguments, (size_t)count * sizeof *arguments);
    int first = optind < 1 ? 1 : optind;
    optarg = 0;
    if (count > 1 && __loopfrog_nondet_bool())
        trade((char **)arguments, count);
    if (first >= count || __loopfrog_nondet_bool()) {
        optind = first >= count ? first : int_between(1, count);
        return 0;
    }
    optind = int_between(first, count);
    return 1;
}

/* One of these characters, or what is said of others. */
static int short_option(int count, char *const *arguments, const char *options, size_t length) {
    if (length > 0 && options[0] == '-' && __loopfrog_nondet_bool()) {
        optarg = argument_of(arguments, count);
        return 1;
    }
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

int getopt(int count, char *const *arguments, const char *options) {
    size_t length = string(options);
    return option_follows(count, arguments) ? short_option(count, arguments, options, length) : -1;
}

/* As <getopt.h> has it. */
struct __loopfrog_long_option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

int getopt_long(int count, char *const *arguments, const char *options, const struct __loopfrog_long_option *all, int *which) {
    size_t length = string(options);
    if (!option_follows(count, arguments))
        return -1;
    if (!all || __loopfrog_nondet_bool())
        return short_option(count, arguments, options, length);
    readable(all, sizeof *all);
    if (__loopfrog_nondet_bool()) {
        optopt = __loopfrog_nondet_int();
        return __loopfrog_nondet_bool() ? '?' : ':';
    }
    size_t entries = (__loopfrog_size(all) - (size_t)__loopfrog_offset(all)) / sizeof *all;
    int place = int_between(0, (int)least(entries, 1 << 30) - 1);
    const struct __loopfrog_long_option *option = &all[place];
    __CPROVER_assume(!__loopfrog_is_null(option->name));
    if (which) {
        writable(which, sizeof *which);
        *which = place;
    }
    if (option->has_arg)
        optarg = option->has_arg == 2 && __loopfrog_nondet_bool() ? 0 : argument_of(arguments, count);
    if (!option->flag)
        return option->val;
    writable(option->flag, sizeof *option->flag);
    *option->flag = option->val;
    return 0;
}

int getopt_long_only(int count, char *const *arguments, const char *options, const struct __loopfrog_long_option *all, int *which) {
    return getopt_long(count, arguments, options, all, which);
}
