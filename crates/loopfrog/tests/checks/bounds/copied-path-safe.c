/* Strings are copied by a loop of the program, from and to several buffers, inside of another loop. */
extern int __VERIFIER_nondet_int(void);

static void copy(char *to, const char *from)
{
    int i;
    for (i = 0;; i++) {
        to[i] = from[i]; // PROVED(bounds)
        if (from[i] == 0)
            break;
    }
}

int main(void)
{
    char path[9], work[9], name[9];
    path[8] = 0;
    work[8] = 0;
    copy(name, path);
    for (char rounds = (char)(__VERIFIER_nondet_int() & 7); rounds > 0; rounds--) {
        int last;
        copy(name, work);
        for (last = 0; name[last] != 0; last++) // PROVED(bounds)
            continue;
    }
    return 0;
}
