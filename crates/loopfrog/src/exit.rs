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
    /// The program is C that Loopfrog cannot handle, or Loopfrog has an error.
    Unsupported = 6,
    /// The preprocessor failed.
    Preprocessor = 8,
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
