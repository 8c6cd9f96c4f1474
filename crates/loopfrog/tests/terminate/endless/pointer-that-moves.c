// program: DIVERGES
// Where the pointer points does not matter, but that it points into the array does.
int main(void) {
    unsigned numbers[2] = {1, 3}, sum = 1;
    unsigned *at = numbers;
    while (sum % 2 == 1) { // DIVERGES
        at = at == numbers ? numbers + 1 : numbers;
        sum += 2 * numbers[0];
    }
    return 0;
}
