/* A pointer to a variable of a block that was left. */
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int fallback = 1;
    int *chosen = &fallback;
    int other = 2;
    if (__VERIFIER_nondet_bool()) {
        chosen = &other;
    }
    return *chosen; // PROVED(dangling)
}
