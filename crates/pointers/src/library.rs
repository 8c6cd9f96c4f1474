//! What functions without body do to pointers, as far as their names tell.
//!
//! Library functions usually have bodies: those that Loopfrog brings along. This table is for its primitives, and for programs that
//! are analysed without them. A function that is not here and has no body may do anything that code outside of the program can do.

use model::Function;

/// An argument for a callback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    /// The function's own argument.
    Same(usize),
    /// A pointer to an element of the array behind an argument; another argument is the size of the elements.
    Element(usize, usize),
    /// Something from outside.
    External,
}

/// What a function does to pointers and memory. Numbers are positions of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Returns an argument.
    Returns(usize),
    /// Returns a pointer into the object behind an argument.
    ReturnsInto(usize),
    /// Returns a pointer to an element of the array behind an argument; another argument is the size of the elements.
    ReturnsElement(usize, usize),
    /// Returns a new object.
    Allocates,
    /// The new object gets the bytes behind an argument.
    Duplicates(usize),
    /// Returns a pointer to something outside.
    ReturnsExternal,
    /// Copies bytes; as many as an argument says.
    Copies { to: usize, from: usize, len: Option<usize> },
    /// Copies bytes to somewhere behind a pointer.
    Appends { to: usize, from: usize },
    /// Moves the elements of an array about; another argument is their size.
    Mixes(usize, usize),
    /// Stores a pointer into the object behind `from`.
    StoresInto { at: usize, from: usize },
    /// Stores a pointer to something outside.
    StoresExternal(usize),
    /// Outside code keeps the argument.
    Escapes(usize),
    /// Calls an argument.
    Calls(usize, &'static [Argument]),
    /// Writes the same byte to memory behind an argument; as often as another argument says.
    Fills(usize, usize),
    /// Makes the whole object of an argument 0: scalars there, whatever their size, become 0 as wholes.
    Clears(usize),
    /// Reads bytes behind an argument.
    Finds(usize),
    /// Writes numbers or characters behind an argument.
    Writes(usize),
    /// The same for all arguments from a position on.
    WritesRest(usize),
}

use Argument::{Element, External, Same};
use Effect::*;

const NOTHING: &[Effect] = &[];
const COPY: &[Effect] = &[Copies { to: 0, from: 1, len: Some(2) }, Returns(0)];
// Characters go where the string ends; that is somewhere.
const APPEND: &[Effect] = &[Appends { to: 0, from: 1 }, Returns(0)];
const NUMBER: &[Effect] = &[StoresInto { at: 1, from: 0 }];

/// What a function without body does; `None` if nothing is known of it.
pub(crate) fn effects(function: &Function) -> Option<&'static [Effect]> {
    let name = function.link_name.as_deref().unwrap_or(&function.name);
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    if name == "assert" || ["__VERIFIER_", "__CPROVER_", "__loopfrog_nondet_"].iter().any(|prefix| name.starts_with(prefix)) {
        return Some(NOTHING);
    }
    Some(match name {
        "__loopfrog_allocate" => &[Allocates],
        "__loopfrog_copy" => &[Copies { to: 0, from: 1, len: Some(2) }],
        "__loopfrog_fill" => &[Fills(0, 2)],
        "__loopfrog_clear" => &[Clears(0)],
        "__loopfrog_find" => &[Finds(0)],
        "__loopfrog_havoc" => &[Writes(0)],
        "__loopfrog_free"
        | "__loopfrog_assert"
        | "__loopfrog_stdin"
        | "__loopfrog_size"
        | "__loopfrog_offset"
        | "__loopfrog_alive"
        | "__loopfrog_heap"
        | "__loopfrog_writable"
        | "__loopfrog_is_null"
        | "__loopfrog_same_object" => NOTHING,

        "malloc" | "calloc" | "valloc" | "aligned_alloc" | "memalign" => &[Allocates],
        "realloc" | "reallocarray" | "strdup" | "strndup" | "__strdup" | "__strndup" | "wcsdup" => &[Allocates, Duplicates(0)],
        "free" | "cfree" => NOTHING,

        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" | "memccpy" => COPY,
        "mempcpy" => &[Copies { to: 0, from: 1, len: Some(2) }, ReturnsInto(0)],
        "bcopy" => &[Copies { to: 1, from: 0, len: Some(2) }],
        "memset" | "__memset_chk" => &[Fills(0, 2), Returns(0)],
        "bzero" => &[Fills(0, 1)],
        "strcpy" | "strncpy" | "__strcpy_chk" | "__strncpy_chk" => &[Copies { to: 0, from: 1, len: None }, Returns(0)],
        "stpcpy" | "stpncpy" => &[Copies { to: 0, from: 1, len: None }, ReturnsInto(0)],
        "strcat" | "strncat" | "__strcat_chk" | "__strncat_chk" => APPEND,
        "strchr" | "strrchr" | "memchr" | "memrchr" | "rawmemchr" | "strchrnul" | "strstr" | "strcasestr" | "strpbrk" | "index"
        | "rindex" | "basename" | "memmem" => &[ReturnsInto(0)],
        // The object of an earlier call is remembered; it does no harm if outside code knows it.
        "strtok" => &[Escapes(0), Writes(0), ReturnsExternal, ReturnsInto(0)],
        "strtok_r" | "__strtok_r" => &[StoresInto { at: 2, from: 0 }, Writes(0), ReturnsInto(0), ReturnsExternal],
        "strlen" | "strnlen" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "strcoll" | "memcmp" | "bcmp" | "strspn"
        | "strcspn" | "wcslen" | "wcscmp" => NOTHING,

        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtold" | "strtoimax" | "strtoumax" => NUMBER,
        "atoi" | "atol" | "atoll" | "atof" | "abs" | "labs" | "llabs" | "rand" | "srand" | "random" | "srandom" => NOTHING,
        "qsort" => &[Mixes(0, 2), Calls(3, &[Element(0, 2), Element(0, 2)])],
        "bsearch" => &[Calls(4, &[Same(0), Element(1, 3)]), ReturnsElement(1, 3)],
        "atexit" => &[Calls(0, &[])],
        "signal" => &[Calls(1, &[External]), Escapes(1), ReturnsExternal],
        "pthread_create" => &[Calls(2, &[Same(3)]), Escapes(3), Writes(0)],
        "pthread_join" => &[StoresExternal(1)],
        "exit" | "_exit" | "_Exit" | "abort" | "__assert_fail" | "reach_error" | "unreachable" | "trap" => NOTHING,
        "setjmp" | "_setjmp" | "__sigsetjmp" => &[Writes(0)],
        "longjmp" | "_longjmp" | "siglongjmp" => NOTHING,

        "printf" | "fprintf" | "vprintf" | "vfprintf" | "__printf_chk" | "__fprintf_chk" | "puts" | "fputs" | "putchar" | "putc"
        | "fputc" | "perror" | "fflush" | "fclose" | "feof" | "ferror" | "fseek" | "ftell" | "rewind" | "clearerr" | "fwrite"
        | "getchar" | "getc" | "fgetc" | "ungetc" | "fileno" | "remove" | "rename" | "unlink" | "close" | "write" | "lseek" | "system"
        | "access" | "puts_unlocked" => NOTHING,
        "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" | "__sprintf_chk" | "__snprintf_chk" => &[Writes(0)],
        "fgets" | "gets" => &[Writes(0), Returns(0)],
        "fread" | "time" => &[Writes(0)],
        "read" => &[Writes(1)],
        "scanf" | "__isoc99_scanf" => &[WritesRest(1)],
        "sscanf" | "fscanf" | "__isoc99_sscanf" | "__isoc99_fscanf" => &[WritesRest(2)],
        "fopen"
        | "fdopen"
        | "freopen"
        | "tmpfile"
        | "popen"
        | "getenv"
        | "setlocale"
        | "strerror"
        | "__errno_location"
        | "__ctype_b_loc"
        | "__ctype_tolower_loc"
        | "__ctype_toupper_loc"
        | "localeconv"
        | "ctime"
        | "ttyname"
        | "getlogin" => &[ReturnsExternal],
        "gettimeofday" | "clock_gettime" | "stat" | "fstat" | "lstat" | "getrusage" => &[Writes(0), Writes(1)],
        "localtime" | "gmtime" | "asctime" => &[ReturnsExternal],
        "isalpha" | "isdigit" | "isalnum" | "isspace" | "isupper" | "islower" | "isxdigit" | "ispunct" | "isprint" | "iscntrl"
        | "isgraph" | "toupper" | "tolower" | "clock" | "sleep" | "usleep" | "getpid" | "fabs" | "sqrt" | "pow" | "sin" | "cos" | "tan"
        | "floor" | "ceil" | "log" | "exp" | "fmod" | "round" | "isatty" | "expect" => NOTHING,
        _ => return None,
    })
}
