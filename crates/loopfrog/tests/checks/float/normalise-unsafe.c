/* A vector is divided by its length. */
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float x = __VERIFIER_nondet_float(), length = __VERIFIER_nondet_float();
    if (!(x >= -1.0f && x <= 1.0f))
        return 1;
    if (!(length >= 0.0f && length <= 2.0f))
        return 1;
    float unit = x / length; // VIOLATED(float)
    return unit > 0.25f;
}
