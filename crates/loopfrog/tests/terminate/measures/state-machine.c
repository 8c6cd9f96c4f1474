// program: TERMINATES
// flags: --engine states
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int state = 100, next = 0;
    while (1) { // TERMINATES
        switch (state) {
        case 100: state = __VERIFIER_nondet_int() ? 203 : 117; break;
        case 117: state = 61; break;
        case 203: state = __VERIFIER_nondet_int() ? 117 : 342; break;
        // Where 500 leads to depends on where it comes from.
        case 342: state = 500; next = 77; break;
        case 61: state = 500; next = 404; break;
        case 77: state = 61; break;
        case 500: state = next; break;
        case 404: state = 7; break;
        case 7: state = 9; break;
        case 9: state = 11; break;
        case 11: state = 1; break;
        default: return 0;
        }
    }
}
