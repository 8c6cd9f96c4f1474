//! How a run ends. The numbers are those that scripts around CBMC and 2LS know.

use std::process::ExitCode;

use crate::console::say;

/// The end of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Exit {
    /// All went well.
    Success = 0,
    /// The command line makes no sense, or names a file that is not there.
    Usage = 1,
    /// The program is not C, a model file is damaged, or the parts of the program do not fit together.
    Parse = 2,
    /// Some properties are not decided.
    Inconclusive = 5,
    /// The program is C that Loopfrog cannot handle, or Loopfrog has an error.
    Unsupported = 6,
    /// The preprocessor failed.
    Preprocessor = 8,
    /// A property is violated.
    Violated = 10,
}

impl Exit {
    /// The number that the process ends with.
    pub fn number(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.number())
    }
}

/// Makes a panic what it is for the user: an error of Loopfrog, with its own exit code.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        say(&format!("internal error: {panic}\nThis is a defect of Loopfrog; please report it with the input that shows it.\n"));
        std::process::exit(Exit::Unsupported.number().into());
    }));
}

/// Does work that must not end the process even if it panics; the error is what the panic said.
pub fn catch_panics<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    // What the work has left half done is dropped with it.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        format!("internal error: {}", text.unwrap_or("no message"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_errors() {
        assert_eq!(catch_panics(|| 1), Ok(1));
        assert_eq!(catch_panics(|| panic!("as a test")), Err::<(), _>("internal error: as a test".into()));
        let index = std::hint::black_box(3);
        assert!(catch_panics(|| [0, 1][index]).unwrap_err().contains("out of bounds"));
    }
}
