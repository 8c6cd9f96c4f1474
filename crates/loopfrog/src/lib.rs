//! The drivers of Loopfrog: the command `loopfrog` and the compiler wrapper `loopfrog-cc`.

pub mod check;
pub mod checks;
pub mod cli;
pub mod command_line;
pub mod compile_commands;
pub mod console;
pub mod describe;
pub mod domains;
pub mod embed;
pub mod exit;
pub mod explain;
pub mod input;
pub mod object_file;
pub mod run;
pub mod show;
pub mod summarize;
pub mod terminate;
pub mod translation;
pub mod words;
pub mod workers;
pub mod wrapper;
