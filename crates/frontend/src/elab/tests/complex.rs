//! Complex numbers.

use expect_test::expect;

use super::check;

#[test]
fn complex_numbers() {
    check(
        r#"
        double _Complex f(double _Complex z, double x) { z += x; return z * 2.0i == z ? ~z : -z; }
        "#,
        expect![[r#"
            struct `complex f64` size 16 align 8 {
                real: f64 at 0
                imag: f64 at 8
            }

            function f(z: struct `complex f64`, x: f64) -> struct `complex f64` {
                local #1: struct `complex f64`
                local #2: struct `complex f64`
                local #3: struct `complex f64`
                local #4: struct `complex f64`
                local #5: struct `complex f64`
                temp #6: struct `complex f64`
            b0:
                #1.real = z.real + x
                #1.imag = z.imag
                z = #1
                #2.real = 0.0
                #2.imag = 2.0
                #3 = __muldc3(z.real, z.imag, 0.0, 2.0)
                if ((i32)(#3.real == z.real) & (i32)(#3.imag == z.imag)) != 0 goto b1 else b2
            b1:  // from b0
                #4.real = z.real
                #4.imag = -z.imag
                #6 = #4
                goto b3
            b2:  // from b0
                #5.real = -z.real
                #5.imag = -z.imag
                #6 = #5
                goto b3
            b3:  // from b1, b2
                return #6
            }

            function __muldc3(f64, f64, f64, f64) -> struct `complex f64`
        "#]],
    );
}

#[test]
fn complex_integers() {
    check(
        r#"
        _Complex short g = 1 - 2i;
        _Complex int f(_Complex int a, _Complex char b) { return a * a + ~b; }
        unsigned real(_Complex unsigned a, int b) { return __real__(a / b); }
        "#,
        expect![[r#"
            struct `complex i32` size 8 align 4 {
                real: i32 at 0
                imag: i32 at 4
            }

            struct `complex i16` size 4 align 2 {
                real: i16 at 0
                imag: i16 at 2
            }

            struct `complex i8` size 2 align 1 {
                real: i8 at 0
                imag: i8 at 1
            }

            struct `complex u32` size 8 align 4 {
                real: u32 at 0
                imag: u32 at 4
            }

            global g: struct `complex i16` = i16 1 -2

            function f(a: struct `complex i32`, b: struct `complex i8`) -> struct `complex i32` {
                local #1: struct `complex i32`
                local #2: struct `complex i8`
                local #3: struct `complex i32`
            b0:
                #1.real = a.real * a.real - a.imag * a.imag
                #1.imag = a.real * a.imag + a.imag * a.real
                #2.real = b.real
                #2.imag = (i8)-(i32)b.imag
                #3.real = #1.real + (i32)#2.real
                #3.imag = #1.imag + (i32)#2.imag
                return #3
            }

            function real(a: struct `complex u32`, b: i32) -> u32 {
                local #1: struct `complex u32`
            b0:
                #1.real = a.real / (u32)b
                #1.imag = a.imag / (u32)b
                return #1.real
            }
        "#]],
    );
}
