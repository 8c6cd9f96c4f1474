// kinds: overflow
// C leaves a signed left shift that loses bits undefined, compilers define it: neither proved nor violated.
int __VERIFIER_nondet_int(void);
int main(void) {
  int byte = __VERIFIER_nondet_int() & 255;
  int low = byte << 23; // PROVED
  int high = byte << 24; // OPEN
  int negative = -byte << 1; // OPEN
  int sum = byte + 2147483647; // VIOLATED
  return low ^ high ^ negative ^ sum;
}
