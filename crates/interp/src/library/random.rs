//! `rand`, `random` and relatives: glibc's sequences.

use super::{Header, Invocation, load_int, store_int};
use crate::fault::Step;
use crate::machine::Machine;

pub(super) const FUNCTIONS: Header = &[
    ("rand", |m, _| Ok(u128::from(m.library.random.next()))),
    ("random", |m, _| Ok(u128::from(m.library.random.next()))),
    ("srand", seed),
    ("srandom", seed),
    ("rand_r", rand_r),
    ("srand48", |m, c| {
        m.library.random.wide = (c.scalar(0) as u64 & 0xffff_ffff) << 16 | 0x330e;
        Ok(0)
    }),
    ("lrand48", |m, _| Ok(u128::from(m.library.random.next_wide() >> 17))),
    ("mrand48", |m, _| Ok((m.library.random.next_wide() >> 16) as i32 as i128 as u128)),
    ("drand48", |m, _| Ok(u128::from((m.library.random.next_wide() as f64 / (1u64 << 48) as f64).to_bits()))),
];

/// How many words the additive generator has.
const WORDS: usize = 31;
/// How far apart the two words are that it adds.
const DISTANCE: usize = 3;

/// The state of the generators.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Random {
    /// The words of the additive generator; empty before its first use.
    words: Vec<u32>,
    /// Which of them comes next.
    position: usize,
    /// The state of the congruential generator of 48 bits.
    wide: u64,
}

impl Random {
    /// A number that changes with what is drawn.
    pub(super) fn progress(&self) -> u64 {
        self.words.get(self.position).map_or(0, |word| u64::from(*word)) ^ self.wide
    }

    fn seed(&mut self, seed: u32) {
        let mut word = i64::from(if seed == 0 { 1 } else { seed as i32 });
        self.words = Vec::with_capacity(WORDS);
        for _ in 0..WORDS {
            self.words.push(word as u32);
            // The minimal standard generator; a negative remainder is brought back.
            word = 16807 * (word % 127_773) - 2836 * (word / 127_773);
            if word < 0 {
                word += 0x7fff_ffff;
            }
        }
        self.position = DISTANCE;
        for _ in 0..10 * WORDS {
            self.next();
        }
    }

    fn next(&mut self) -> u32 {
        if self.words.is_empty() {
            self.seed(1);
        }
        let other = (self.position + WORDS - DISTANCE) % WORDS;
        let sum = self.words[self.position].wrapping_add(self.words[other]);
        self.words[self.position] = sum;
        self.position = (self.position + 1) % WORDS;
        sum >> 1
    }

    fn next_wide(&mut self) -> u64 {
        self.wide = self.wide.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & 0xffff_ffff_ffff;
        self.wide
    }
}

fn seed(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    machine.library.random.seed(call.scalar(0) as u32);
    Ok(0)
}

fn rand_r(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let place = call.pointer(machine, 0);
    let mut state = load_int(machine, place, 4)? as u32;
    let mut result = 0;
    for (bits, keep) in [(0, 2048), (10, 1024), (10, 1024)] {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        result = (result << bits) ^ ((state / 65536) % keep);
    }
    store_int(machine, place, i128::from(state), 4)?;
    Ok(u128::from(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_glibcs() {
        let mut random = Random::default();
        assert_eq!([random.next(), random.next(), random.next()], [1_804_289_383, 846_930_886, 1_681_692_777]);
        random.seed(42);
        assert_eq!([random.next(), random.next()], [71_876_166, 708_592_740]);
    }
}
