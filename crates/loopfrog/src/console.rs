//! What is said to the user beside the result: on standard error.

use std::io::{self, IsTerminal, Write};

use report::diagnostic::{Severity, Sources, messages, render};

use crate::translation::Translated;

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How much is said, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Console {
    /// Whether to use colour.
    pub color: bool,
    /// How much is said.
    pub volume: Volume,
}

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Volume {
    /// Errors only.
    Quiet,
    /// Warnings too.
    Normal,
    /// What is being done, too.
    Verbose,
}

impl Console {
    /// A console for standard error.
    pub fn new(color: Color, volume: Volume) -> Self {
        let color = match color {
            Color::Auto => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            Color::Always => true,
            Color::Never => false,
        };
        Console { color, volume }
    }

    /// Why there is no result.
    pub fn error(&self, message: &str) {
        self.print("error", "\x1b[1;31m", message);
    }
    /// What may make the result worth less.
    pub fn warning(&self, message: &str) {
        if self.volume >= Volume::Normal {
            self.print("warning", "\x1b[1;33m", message);
        }
    }
    /// What may help.
    pub fn note(&self, message: &str) {
        if self.volume >= Volume::Normal {
            self.print("note", "\x1b[1;36m", message);
        }
    }
    /// What is being done.
    pub fn progress(&self, message: &str) {
        if self.volume >= Volume::Verbose {
            say(&format!("{message}\n"));
        }
    }

    /// What the front end has to say about a source.
    pub fn diagnostics(&self, translated: &Translated) {
        let translation = &translated.translation;
        let (mut messages, suppressed) = messages(&translation.diagnostics, &translated.text, &translation.map);
        if self.volume < Volume::Normal {
            messages.retain(|message| message.severity != Severity::Warning);
        }
        let sources = Sources::new(&translation.map.files, &translated.directory);
        say(&render(&messages, suppressed, &sources, self.color));
    }

    fn print(&self, word: &str, style: &str, message: &str) {
        if self.color {
            say(&format!("{style}{word}\x1b[0m: {message}\n"));
        } else {
            say(&format!("{word}: {message}\n"));
        }
    }
}

/// Prints on standard error. If nobody listens, the run goes on.
pub fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
