//! Library functions that compilers know without a declaration, with their types.

use super::Elaborator;
use super::ctype::{CType, Qual, Signature, Ty};
use super::value::Value;
use crate::ast::{Qualifiers, Range};

/// Name and type: the result, then the parameters. `v` void, `i` int, `u` unsigned, `l` long, `k` unsigned long, `L` long long, `K` unsigned
/// long long, `z` size_t, `s` ssize_t, `p` void *, `P` const void *, `c` char *, `C` const char *, `f` float, `d` double, `D` long double,
/// `I` int *, `E` double *, `.` variadic.
const FUNCTIONS: &[(&str, &str)] = &[
    ("abort", "v"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("_Exit", "vi"),
    ("malloc", "pz"),
    ("calloc", "pzz"),
    ("realloc", "ppz"),
    ("aligned_alloc", "pzz"),
    ("free", "vp"),
    ("abs", "ii"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("memcpy", "ppPz"),
    ("mempcpy", "ppPz"),
    ("memmove", "ppPz"),
    ("memset", "ppiz"),
    ("memcmp", "iPPz"),
    ("bcmp", "iPPz"),
    ("bcopy", "vPpz"),
    ("bzero", "vpz"),
    ("memchr", "pPiz"),
    ("strlen", "zC"),
    ("strnlen", "zCz"),
    ("strcpy", "ccC"),
    ("stpcpy", "ccC"),
    ("stpncpy", "ccCz"),
    ("strncpy", "ccCz"),
    ("strcat", "ccC"),
    ("strncat", "ccCz"),
    ("strcmp", "iCC"),
    ("strncmp", "iCCz"),
    ("strcasecmp", "iCC"),
    ("strncasecmp", "iCCz"),
    ("strchr", "cCi"),
    ("strrchr", "cCi"),
    ("index", "cCi"),
    ("rindex", "cCi"),
    ("strstr", "cCC"),
    ("strspn", "zCC"),
    ("strcspn", "zCC"),
    ("strpbrk", "cCC"),
    ("strdup", "cC"),
    ("strndup", "cCz"),
    ("printf", "iC."),
    ("fprintf", "ipC."),
    ("sprintf", "icC."),
    ("snprintf", "iczC."),
    ("scanf", "iC."),
    ("fscanf", "ipC."),
    ("sscanf", "iCC."),
    ("puts", "iC"),
    ("fputs", "iCp"),
    ("putchar", "ii"),
    ("fputc", "iip"),
    ("fwrite", "zPzzp"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isgraph", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("isascii", "ii"),
    ("toascii", "ii"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "iL"),
    ("execl", "iCC."),
    ("execlp", "iCC."),
    ("execle", "iCC."),
    ("fork", "i"),
    ("setjmp", "ip"),
    ("longjmp", "vpi"),
];

/// Functions of the mathematical library: the type of the `double` version; `f` and `l` behind the name give the others.
const MATHEMATICS: &[(&str, &str)] = &[
    ("acos", "dd"),
    ("acosh", "dd"),
    ("asin", "dd"),
    ("asinh", "dd"),
    ("atan", "dd"),
    ("atan2", "ddd"),
    ("atanh", "dd"),
    ("cbrt", "dd"),
    ("ceil", "dd"),
    ("copysign", "ddd"),
    ("cos", "dd"),
    ("cosh", "dd"),
    ("erf", "dd"),
    ("erfc", "dd"),
    ("exp", "dd"),
    ("exp2", "dd"),
    ("expm1", "dd"),
    ("fabs", "dd"),
    ("fdim", "ddd"),
    ("floor", "dd"),
    ("fma", "dddd"),
    ("fmax", "ddd"),
    ("fmin", "ddd"),
    ("fmod", "ddd"),
    ("frexp", "ddI"),
    ("hypot", "ddd"),
    ("ilogb", "id"),
    ("ldexp", "ddi"),
    ("lgamma", "dd"),
    ("llrint", "Ld"),
    ("llround", "Ld"),
    ("log", "dd"),
    ("log10", "dd"),
    ("log1p", "dd"),
    ("log2", "dd"),
    ("logb", "dd"),
    ("lrint", "ld"),
    ("lround", "ld"),
    ("modf", "ddE"),
    ("nearbyint", "dd"),
    ("nextafter", "ddd"),
    ("pow", "ddd"),
    ("remainder", "ddd"),
    ("rint", "dd"),
    ("round", "dd"),
    ("scalbln", "ddl"),
    ("scalbn", "ddi"),
    ("significand", "dd"),
    ("sin", "dd"),
    ("sinh", "dd"),
    ("sqrt", "dd"),
    ("tan", "dd"),
    ("tanh", "dd"),
    ("tgamma", "dd"),
    ("trunc", "dd"),
];

/// Functions that do not come back.
const NORETURN: &[&str] = &["abort", "exit", "_exit", "_Exit", "longjmp"];

impl Elaborator<'_> {
    /// A library function by name, declared as the compiler knows it; `None` if it knows none of this name.
    pub fn library_function(&mut self, name: &str, range: Range) -> Option<Value> {
        let symbol = self.session.names.intern(name);
        let code = code_of(name)?;
        let mut types = code.chars().map(|code| self.coded_type(code));
        let ret = types.next().flatten()?;
        let params = types.flatten().map(Qual::from).collect();
        let variadic = code.ends_with('.');
        let ty = self.unit.types.intern(CType::Function(Signature { ret: ret.into(), params, variadic, prototype: true }));
        let known = self.unit.linked_by_name.contains_key(&symbol);
        let function = self.file_scope_function(symbol, ty.into(), range);
        if !known && NORETURN.contains(&name) {
            let index = self.unit.linked_by_name[&symbol];
            self.unit.linked[index as usize].attributes.noreturn = true;
            self.refresh_entry(index);
        }
        Some(function)
    }

    fn coded_type(&mut self, code: char) -> Option<Ty> {
        let constant = Qualifiers { is_const: true, ..Qualifiers::default() };
        Some(match code {
            'v' => Ty::VOID,
            'i' => Ty::INT,
            'u' => Ty::UINT,
            'l' => Ty::LONG,
            'k' => Ty::ULONG,
            'L' => Ty::LONGLONG,
            'K' => Ty::ULONGLONG,
            'z' => self.unit.types.size_type(),
            's' => self.unit.types.difference_type(),
            'f' => Ty::FLOAT,
            'd' => Ty::DOUBLE,
            'D' => Ty::LDOUBLE,
            'p' => self.unit.types.pointer(Ty::VOID),
            'P' => self.unit.types.pointer(Qual::new(Ty::VOID, constant)),
            'c' => self.unit.types.pointer(Ty::CHAR),
            'C' => self.unit.types.pointer(Qual::new(Ty::CHAR, constant)),
            'I' => self.unit.types.pointer(Ty::INT),
            'E' => self.unit.types.pointer(Ty::DOUBLE),
            'F' => self.unit.types.pointer(Ty::FLOAT),
            'G' => self.unit.types.pointer(Ty::LDOUBLE),
            _ => return None,
        })
    }
}

/// Whether a library function of this name can be called with so many arguments.
pub fn library_takes(name: &str, args: usize) -> bool {
    code_of(name).is_some_and(|code| match code.strip_suffix('.') {
        Some(fixed) => args + 1 >= fixed.len(),
        None => args + 1 == code.len(),
    })
}

/// Whether the compiler knows a function of this name.
pub fn is_known(name: &str) -> bool {
    code_of(name).is_some()
}

fn code_of(name: &str) -> Option<String> {
    if let Some((_, code)) = FUNCTIONS.iter().chain(MATHEMATICS).find(|(known, _)| *known == name) {
        return Some((*code).into());
    }
    let (stem, from_to) = match name.strip_suffix('f') {
        Some(stem) => (stem, [('d', 'f'), ('E', 'F')]),
        None => (name.strip_suffix('l')?, [('d', 'D'), ('E', 'G')]),
    };
    let (_, code) = MATHEMATICS.iter().find(|(known, _)| *known == stem)?;
    Some(code.chars().map(|c| from_to.iter().find(|(from, _)| *from == c).map_or(c, |(_, to)| *to)).collect())
}
