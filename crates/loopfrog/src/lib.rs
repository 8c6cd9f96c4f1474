//! The drivers behind the command line.
