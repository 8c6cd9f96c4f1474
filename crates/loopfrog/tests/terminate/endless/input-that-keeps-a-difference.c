// program: DIVERGES
// The input has to be the difference of two variables, one of which belongs to the program.
extern unsigned __VERIFIER_nondet_uint(void);

unsigned paid;

int main(void) {
    unsigned due = 0;
    while (paid == due) { // DIVERGES
        due += 7;
        paid += __VERIFIER_nondet_uint();
        if (paid % 2 != due % 2)
            return 1;
    }
    return 0;
}
