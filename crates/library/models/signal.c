/* <signal.h>. It is assumed that no signals come: handlers are kept, and nobody calls them. */

typedef void (*handler)(int);

static handler handlers[65];

handler signal(int number, handler new_handler) {
    if (number < 1 || number > 64 || __loopfrog_nondet_bool()) {
        set_errno();
        return (handler)-1;
    }
    handler old = handlers[number];
    handlers[number] = new_handler;
    /* Whoever started the program may have had the signal ignored. */
    return !old && __loopfrog_nondet_bool() ? (handler)1 : old;
}
