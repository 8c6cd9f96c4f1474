// program: TERMINATES
// assumed to return
extern int somebody_else(int);
int main(void) {
    int n = somebody_else(1);
    for (int i = 0; i < n; i++) // TERMINATES
        ;
    return 0;
}
