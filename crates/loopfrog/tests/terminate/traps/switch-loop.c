// program: DIVERGES
int main(void) {
    int state = 0;
    while (state != 3) { // DIVERGES
        switch (state) {
        case 0: state = 1; break;
        case 1: state = 2; break;
        default: state = 0; break;
        }
    }
    return 0;
}
