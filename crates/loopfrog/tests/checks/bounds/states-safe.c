/* A loop with a switch over states: comments are removed from a text. */
extern int __VERIFIER_nondet_int(void);

int main(int argc, char **argv)
{
    char out[64];
    int length = 0, state = 0;
    if (argc < 2)
        return 1;
    for (const char *p = argv[1]; *p && length < 64; p++) {
        switch (state) {
        case 0:
            if (*p == '#')
                state = 1;
            else
                out[length++] = *p; // PROVED(bounds)
            break;
        case 1:
            if (*p == '\n')
                state = 0;
            break;
        }
    }
    return length > 0 ? out[0] : 0; // PROVED(bounds)
}
