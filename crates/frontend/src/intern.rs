//! Names as numbers.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// An interned name; equal names have equal symbols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

/// The table of names: all texts in one buffer, found through an open hash table.
#[derive(Default, Debug)]
pub struct Interner {
    text: String,
    /// Where each name ends in `text`, with its hash; it begins where the one before ends.
    names: Vec<(usize, u32)>,
    /// One more than the number of the name, or 0. The length is a power of two.
    slots: Vec<u32>,
}

impl Interner {
    /// The symbol of a name.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if (self.names.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let hash = hash(name);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            let symbol = Symbol(self.slots[slot] - 1);
            if self.names[symbol.0 as usize].1 == hash && self.name(symbol) == name {
                return symbol;
            }
            slot = (slot + 1) & mask;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.text.push_str(name);
        self.names.push((self.text.len(), hash));
        self.slots[slot] = symbol.0 + 1;
        symbol
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        let index = symbol.0 as usize;
        let start = if index == 0 { 0 } else { self.names[index - 1].0 };
        &self.text[start..self.names[index].0]
    }

    fn grow(&mut self) {
        let mask = (self.slots.len() * 2).max(1024) - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, 0);
        for (index, (_, hash)) in self.names.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = index as u32 + 1;
        }
    }
}

fn hash(name: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_have_equal_symbols() {
        let mut names = Interner::default();
        let symbols: Vec<_> = (0..5000).map(|i| names.intern(&format!("name{i}"))).collect();
        for (i, symbol) in symbols.iter().enumerate() {
            assert_eq!(names.name(*symbol), format!("name{i}"));
            assert_eq!(names.intern(&format!("name{i}")), *symbol);
        }
        let empty = names.intern("");
        assert_eq!(names.name(empty), "");
        assert_eq!(names.intern(""), empty);
    }
}
