/* Nested loops over a grid. */
extern int __VERIFIER_nondet_int(void);

static int grid[30][50];

int main(void)
{
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows < 0 || rows > 30 || columns < 0 || columns > 50)
        return 1;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            grid[row][column] = row ^ column; // PROVED(bounds)
    return 0;
}
