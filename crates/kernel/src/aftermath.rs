//! What becomes of a run that fails a check of memory.

use model::{Body, Check, CheckKind, Program, Span, Type, TypeId};

/// What becomes of a run that fails a check, from what tells least to what tells most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Aftermath {
    /// Nothing is known of it.
    Unclear,
    /// It goes on. The access did not concern pointers: what was read is some number, and what was written is in no other object. This is what the
    /// encoder makes of it; that objects do not lie next to each other is assumed everywhere.
    Contained,
    /// It ends there: nobody has the first page of memory, so the machine traps.
    Ends,
}

/// Functions of the library that end the program if they are given a null pointer where their model demands another one. Functions that leave the access to
/// the kernel, that print "(null)", or that may have nothing to access go on.
const TRAPPING: &[&str] = &[
    "memcpy", "mempcpy", "memmove", "memset", "memcmp", "memchr", "bcopy", "bzero", "bcmp", "strlen", "strnlen", "strcpy", "stpcpy",
    "strncpy", "strcat", "strncat", "strcmp", "strncmp", "strchr", "strrchr", "strdup", "strndup", "index", "rindex", "atoi", "atol",
    "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull", "fclose", "fgetc", "getc", "fputc", "putc", "fputs", "feof", "ferror",
    "clearerr", "rewind", "fseek", "ftell", "fileno",
];

/// Functions that read and write nothing but texts where they are given pointers to memory, and streams.
const TEXTUAL: &[&str] = &[
    "strlen",
    "strnlen",
    "strcpy",
    "stpcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strchr",
    "strrchr",
    "strstr",
    "strcasestr",
    "strspn",
    "strcspn",
    "strpbrk",
    "strdup",
    "strndup",
    "index",
    "rindex",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "puts",
    "fputs",
    "fgets",
    "gets",
    "perror",
    "getenv",
    "fopen",
    "fopen64",
    "open",
    "open64",
    "creat",
    "access",
    "unlink",
    "remove",
    "rename",
    "chdir",
    "mkdir",
    "rmdir",
    "chmod",
    "chown",
    "__loopfrog_print_string",
    "__loopfrog_print_buffer",
    "__loopfrog_print_bounded",
    "__loopfrog_print_copy",
];

/// Of a check that stands in the program.
pub(crate) fn of_assertion(program: &Program, body: &Body, check: &Check) -> Aftermath {
    match check.kind {
        CheckKind::Null => Aftermath::Ends,
        CheckKind::Bounds | CheckKind::Dangling if concerns_numbers(program, body, check.span) => Aftermath::Contained,
        _ => Aftermath::Unclear,
    }
}

/// Of a check in the model of a library function.
pub(crate) fn of_demand(function: &str, kind: CheckKind) -> Aftermath {
    match kind {
        CheckKind::Null if TRAPPING.contains(&function) => Aftermath::Ends,
        CheckKind::Null | CheckKind::Bounds | CheckKind::Dangling if TEXTUAL.contains(&function) => Aftermath::Contained,
        _ => Aftermath::Unclear,
    }
}

/// Whether what is accessed at a place of the source is a number, or made of numbers.
fn concerns_numbers(program: &Program, body: &Body, span: Span) -> bool {
    let mut accessed = body.places.iter().filter(|place| place.span == span).peekable();
    accessed.peek().is_some() && accessed.all(|place| is_made_of_numbers(program, place.ty))
}

fn is_made_of_numbers(program: &Program, ty: TypeId) -> bool {
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match program.types.get(ty) {
            Type::Bool | Type::Int { .. } | Type::Float(_) => {}
            Type::Array { elem, .. } => open.push(*elem),
            Type::Record(record) => match &program.types.record(*record).layout {
                Some(layout) => open.extend(layout.fields.iter().map(|field| field.ty)),
                None => return false,
            },
            Type::Void | Type::Pointer(_) | Type::Function { .. } => return false,
        }
    }
    true
}
