//! Random numbers that are the same on every machine.

use model::Target;

/// A xorshift generator, and the data model that it generates for.
pub struct Random {
    state: u64,
    pub target: Target,
}

impl Random {
    pub fn new(seed: u64, target: Target) -> Self {
        Random { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, target }
    }

    pub fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11) % limit
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len() as u64) as usize]
    }

    /// A number whose bits are interesting: small, around a power of two, or anything.
    pub fn number(&mut self) -> u64 {
        match self.below(4) {
            0 => self.below(10),
            1 => (1u64 << self.below(64)).wrapping_add(self.below(3)).wrapping_sub(1),
            2 => self.next() >> self.below(64),
            _ => self.next(),
        }
    }
}
