// program: DIVERGES
// The inputs of a round decide whether there is another one, and what it does.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0;
    while (1) { // DIVERGES
        int event = __VERIFIER_nondet_int();
        if (event == 17 && state == 0)
            state = 1;
        else if (event == 23 && state == 1)
            state = 2;
        else if (event == 42 && state == 2)
            state = 0;
        else
            return state;
    }
}
