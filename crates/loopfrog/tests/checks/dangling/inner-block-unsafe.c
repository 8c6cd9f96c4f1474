/* A pointer to a variable of a block that was left. */
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int fallback = 1;
    int *chosen = &fallback;
    if (__VERIFIER_nondet_bool()) {
        int other = 2;
        chosen = &other;
    }
    return *chosen; // VIOLATED(dangling)
}
