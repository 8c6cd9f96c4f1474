// unwind: 3
// What a library function demands is a property also where the analysis does not come.
void *memset(void *, int, unsigned long);
char buffer[4];
int main(void) {
  for (unsigned i = 0; i != 100; i++)
    ;
  memset(buffer, 0, 5); // MAY
}
