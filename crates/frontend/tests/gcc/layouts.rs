//! Sizes, alignments and offsets.

use std::fmt::Write;

use crate::random::Random;
use crate::types::{PRELUDE, Types};

/// Random records, each with an array of all numbers that its layout gives.
pub fn program(random: &mut Random) -> String {
    let mut types = Types::default();
    for _ in 0..25 {
        types.record(random, 2);
    }
    let mut text = format!("{PRELUDE}{}", types.text);
    for (index, record) in types.records.iter().enumerate().filter(|(_, record)| !record.name.is_empty()) {
        let name = &record.name;
        write!(text, "unsigned long layout_{index}[] = {{ sizeof({name}), _Alignof({name}), __alignof__({name}), __alignof__({name}[2])")
            .unwrap();
        for member in types.addressable(index) {
            write!(text, ", __builtin_offsetof({name}, {member}), sizeof((({name} *)0)->{member})").unwrap();
        }
        writeln!(text, " }};").unwrap();
    }
    text
}
