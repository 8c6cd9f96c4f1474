//! `errno` and the messages of error numbers.

use model::Span;

use super::{Header, Invocation, load_int, store_int, text, write_string};
use crate::fault::Step;
use crate::machine::Machine;
use crate::memory::{ObjectKind, Pointer};

pub(super) const FUNCTIONS: Header =
    &[("__errno_location", |machine, _| Ok(u128::from(location(machine)?))), ("strerror", strerror), ("strerror_r", strerror_r)];

/// No such file.
pub const ENOENT: i32 = 2;
/// A wrong descriptor.
pub const EBADF: i32 = 9;
/// No memory.
pub const ENOMEM: i32 = 12;
/// A wrong argument.
pub const EINVAL: i32 = 22;
/// Outside the domain of a function.
pub const EDOM: i32 = 33;
/// Too large for the result.
pub const ERANGE: i32 = 34;

/// The messages, by number.
const MESSAGES: &str = "\
Success\n\
Operation not permitted\n\
No such file or directory\n\
No such process\n\
Interrupted system call\n\
Input/output error\n\
No such device or address\n\
Argument list too long\n\
Exec format error\n\
Bad file descriptor\n\
No child processes\n\
Resource temporarily unavailable\n\
Cannot allocate memory\n\
Permission denied\n\
Bad address\n\
Block device required\n\
Device or resource busy\n\
File exists\n\
Invalid cross-device link\n\
No such device\n\
Not a directory\n\
Is a directory\n\
Invalid argument\n\
Too many open files in system\n\
Too many open files\n\
Inappropriate ioctl for device\n\
Text file busy\n\
File too large\n\
No space left on device\n\
Illegal seek\n\
Read-only file system\n\
Too many links\n\
Broken pipe\n\
Numerical argument out of domain\n\
Numerical result out of range\n\
Resource deadlock avoided\n\
File name too long\n\
No locks available\n\
Function not implemented\n\
Directory not empty\n\
Too many levels of symbolic links\n\
Unknown error 41\n\
No message of desired type\n\
Identifier removed\n\
Channel number out of range\n\
Level 2 not synchronized\n\
Level 3 halted\n\
Level 3 reset\n\
Link number out of range\n\
Protocol driver not attached\n\
No CSI structure available\n\
Level 2 halted\n\
Invalid exchange\n\
Invalid request descriptor\n\
Exchange full\n\
No anode\n\
Invalid request code\n\
Invalid slot\n\
Unknown error 58\n\
Bad font file format\n\
Device not a stream\n\
No data available\n\
Timer expired\n\
Out of streams resources\n\
Machine is not on the network\n\
Package not installed\n\
Object is remote\n\
Link has been severed\n\
Advertise error\n\
Srmount error\n\
Communication error on send\n\
Protocol error\n\
Multihop attempted\n\
RFS specific error\n\
Bad message\n\
Value too large for defined data type\n\
Name not unique on network\n\
File descriptor in bad state\n\
Remote address changed\n\
Can not access a needed shared library\n\
Accessing a corrupted shared library\n\
.lib section in a.out corrupted\n\
Attempting to link in too many shared libraries\n\
Cannot exec a shared library directly\n\
Invalid or incomplete multibyte or wide character\n\
Interrupted system call should be restarted\n\
Streams pipe error\n\
Too many users\n\
Socket operation on non-socket\n\
Destination address required\n\
Message too long\n\
Protocol wrong type for socket\n\
Protocol not available\n\
Protocol not supported\n\
Socket type not supported\n\
Operation not supported\n\
Protocol family not supported\n\
Address family not supported by protocol\n\
Address already in use\n\
Cannot assign requested address\n\
Network is down\n\
Network is unreachable\n\
Network dropped connection on reset\n\
Software caused connection abort\n\
Connection reset by peer\n\
No buffer space available\n\
Transport endpoint is already connected\n\
Transport endpoint is not connected\n\
Cannot send after transport endpoint shutdown\n\
Too many references: cannot splice\n\
Connection timed out\n\
Connection refused\n\
Host is down\n\
No route to host\n\
Operation already in progress\n\
Operation now in progress\n\
Stale file handle\n\
Structure needs cleaning\n\
Not a XENIX named type file\n\
No XENIX semaphores available\n\
Is a named type file\n\
Remote I/O error\n\
Disk quota exceeded\n\
No medium found\n\
Wrong medium type\n\
Operation canceled\n\
Required key not available\n\
Key has expired\n\
Key has been revoked\n\
Key was rejected by service\n\
Owner died\n\
State not recoverable\n\
Operation not possible due to RF-kill\n\
Memory page has hardware error";

fn location(machine: &mut Machine<'_, '_>) -> Step<Pointer> {
    if machine.library.errno == 0 {
        machine.library.errno = machine.allocate(ObjectKind::Environment, 4, true, Span::NONE)?;
    }
    Ok(machine.library.errno)
}

/// The value of `errno`.
pub fn get(machine: &mut Machine<'_, '_>) -> Step<i32> {
    let pointer = location(machine)?;
    Ok(load_int(machine, pointer, 4)? as i32)
}

/// Sets `errno`.
pub fn set(machine: &mut Machine<'_, '_>, number: i32) -> Step<()> {
    let pointer = location(machine)?;
    store_int(machine, pointer, i128::from(number), 4)
}

/// What an error number means.
pub fn message(number: i32) -> String {
    let known = usize::try_from(number).ok().and_then(|number| MESSAGES.lines().nth(number));
    known.map_or_else(|| format!("Unknown error {number}"), str::to_string)
}

fn strerror(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let message = message(call.integer(0) as i32);
    Ok(u128::from(text(machine, message.as_bytes())?))
}

/// The GNU version gives the message; the one of POSIX, which headers rename, fills the buffer and gives 0.
fn strerror_r(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let message = message(call.integer(0) as i32);
    if call.result == crate::code::Shape::Pointer {
        return Ok(u128::from(text(machine, message.as_bytes())?));
    }
    let (buffer, room) = (call.pointer(machine, 1), call.size(2) as usize);
    if message.len() >= room {
        return Ok(ERANGE as u128);
    }
    write_string(machine, buffer, message.as_bytes())?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_their_numbers() {
        assert_eq!(message(0), "Success");
        assert_eq!(message(ENOENT), "No such file or directory");
        assert_eq!(message(ERANGE), "Numerical result out of range");
        assert_eq!(message(133), "Memory page has hardware error");
        assert_eq!(message(-1), "Unknown error -1");
    }
}
