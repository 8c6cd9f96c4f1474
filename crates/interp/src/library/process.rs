//! The program and its surroundings: its end, time, signals, locale; and what is refused.

use super::{Header, Invocation, Native, store_int, text, word};
use crate::fault::{End, Step};
use crate::machine::Machine;

type M<'a, 'p, 'i> = &'a mut Machine<'p, 'i>;

pub(super) const FUNCTIONS: Header = &[
    ("exit", |_, c| Err(Box::new(End::Exit(c.scalar(0) as i32)))),
    ("_exit", quick_exit),
    ("_Exit", quick_exit),
    ("quick_exit", quick_exit),
    ("abort", |_, _| Err(Box::new(End::Abort))),
    ("atexit", at_exit),
    ("raise", raise),
    ("signal", |_, _| Ok(0)),
    ("sigaction", |_, _| Ok(0)),
    ("sigemptyset", |_, _| Ok(0)),
    ("alarm", |_, _| Ok(0)),
    ("getenv", |_, _| Ok(0)),
    ("secure_getenv", |_, _| Ok(0)),
    ("setlocale", set_locale),
    ("system", system),
    ("getpid", |m, c| m.input("getpid", 31, c.span)),
    ("getppid", |m, c| m.input("getppid", 31, c.span)),
    ("getuid", |m, c| m.input("getuid", 31, c.span)),
    ("sleep", |_, _| Ok(0)),
    ("usleep", |_, _| Ok(0)),
    ("nanosleep", |_, _| Ok(0)),
    ("sched_yield", |_, _| Ok(0)),
    ("time", time),
    ("clock", clock),
    ("gettimeofday", |m, c| time_of_day(m, c, 0, 1_000_000)),
    ("clock_gettime", |m, c| time_of_day(m, c, 1, 1_000_000_000)),
    ("timespec_get", |m, c| time_of_day(m, c, 0, 1_000_000_000).map(|_| c.scalar(1))),
    ("difftime", |_, c| Ok(u128::from(((c.integer(0) - c.integer(1)) as f64).to_bits()))),
    ("fegetround", |_, _| Ok(0)),
    ("feclearexcept", |_, _| Ok(0)),
    ("fesetround", |_, c| if c.scalar(0) == 0 { Ok(0) } else { Err(c.unsupported("to another rounding than to nearest")) }),
];

/// Functions that other programs use and that are not modelled. They are named so that a run that needs one ends there instead of going on
/// with an arbitrary result.
const REFUSED: &str = "\
    fork vfork execl execlp execle execv execvp execve \
    waitpid wait pipe dup dup2 kill pause popen pclose freopen fdopen fgetpos fsetpos tmpnam mkstemp open close creat lseek stat fstat \
    localtime localtime_r gmtime gmtime_r mktime strftime asctime ctime localeconv mmap munmap brk sbrk wprintf fwprintf swprintf \
    vwprintf vswprintf fputws putwchar fputwc fgetwc fgetws getwchar wscanf swscanf fetestexcept feraiseexcept fegetenv fesetenv \
    feholdexcept feupdateenv getcontext setcontext makecontext swapcontext initstate setstate regcomp regexec dlopen dlsym getopt \
    getopt_long socket select poll ioctl fcntl syscall sem_init sem_wait sem_post thrd_create thrd_join mtx_lock mtx_unlock";

/// The refusal of a function.
pub(super) fn refused(name: &str) -> Option<Native> {
    (REFUSED.split_ascii_whitespace().any(|refused| refused == name) || name.starts_with("pthread_")).then_some(refuse as Native)
}

/// Ends the run because the function is not modelled.
pub(super) fn refuse(_: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    Err(call.unsupported(""))
}

/// Ends the program without running handlers.
fn quick_exit(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    machine.library.at_exit.clear();
    machine.library.destructors_ran = true;
    Err(Box::new(End::Exit(call.scalar(0) as i32)))
}

fn at_exit(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let handler = call.pointer(machine, 0);
    machine.library.at_exit.push(handler);
    Ok(0)
}

/// A signal whose default is to end the program ends it.
fn raise(_: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    const SIGABRT: u128 = 6;
    if call.scalar(0) == SIGABRT { Err(Box::new(End::Abort)) } else { Err(call.unsupported("")) }
}

/// The name of the program without its path.
pub(super) fn program_name(machine: M<'_, '_, '_>) -> Step<Vec<u8>> {
    let name = machine.arguments()?.first().map(Vec::as_slice).unwrap_or_default();
    Ok(name.rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_vec())
}

/// There is only the C locale.
fn set_locale(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let wanted = call.pointer(machine, 1);
    let name = if wanted == 0 { Vec::new() } else { super::string(machine, wanted)? };
    match name.as_slice() {
        b"" | b"C" | b"POSIX" => Ok(u128::from(text(machine, b"C")?)),
        _ => Ok(0),
    }
}

fn system(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    if call.pointer(machine, 0) == 0 { Ok(0) } else { Err(call.unsupported("")) }
}

// ---- time: an input like any other, so that a run can be repeated --------------------------------------------------------------------

fn time(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (value, place) = (machine.input("time", 31, call.span)?, call.pointer(machine, 0));
    if place != 0 {
        let size = word(machine);
        store_int(machine, place, value as i128, size)?;
    }
    Ok(value)
}

fn clock(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    machine.input("clock", 31, call.span)
}

/// Seconds and a fraction in units of so many per second.
fn time_of_day(machine: M<'_, '_, '_>, call: &Invocation<'_>, index: usize, units: i128) -> Step<u128> {
    let (place, size) = (call.pointer(machine, index), word(machine));
    let (seconds, fraction) = (machine.input("time", 31, call.span)?, machine.input("fraction of a second", 31, call.span)?);
    if place != 0 {
        store_int(machine, place, seconds as i128, size)?;
        store_int(machine, place.wrapping_add(size), fraction as i128 % units, size)?;
    }
    Ok(0)
}
