/* A negative number of bytes is a very large one, and nobody tells when the stack has no room. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length > 100)
        return 1;
    char *room = __builtin_alloca(length); // VIOLATED(bounds)
    return room == 0;
}
