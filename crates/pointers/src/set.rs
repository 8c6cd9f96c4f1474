//! Sets of small numbers that are added to and compared much more often than they are read.

/// A set of numbers as a sorted list of 64-bit blocks, those without bits left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Set {
    blocks: Vec<(u32, u64)>,
}

impl Set {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
    /// Whether a number is in it.
    pub fn has(&self, number: u32) -> bool {
        self.blocks.binary_search_by_key(&(number / 64), |block| block.0).is_ok_and(|at| self.blocks[at].1 & bit(number) != 0)
    }
    /// Adds a number; whether it is new.
    pub fn insert(&mut self, number: u32) -> bool {
        match self.blocks.binary_search_by_key(&(number / 64), |block| block.0) {
            Ok(at) => {
                let old = self.blocks[at].1;
                self.blocks[at].1 |= bit(number);
                old != self.blocks[at].1
            }
            Err(at) => {
                self.blocks.insert(at, (number / 64, bit(number)));
                true
            }
        }
    }
    /// The numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().flat_map(|&(block, bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let position = left.trailing_zeros();
                left &= left.checked_sub(1)?;
                Some(block * 64 + position)
            })
        })
    }
    /// Adds the numbers of another set.
    pub fn extend(&mut self, other: &Set) {
        self.add_new(other, &mut Set::default());
    }
    /// Adds the numbers of another set, and those that were new to a third one; whether there were any.
    pub fn add_new(&mut self, other: &Set, news: &mut Set) -> bool {
        let fresh = other.without(self);
        if fresh.is_empty() {
            return false;
        }
        self.merge(&fresh);
        news.merge(&fresh);
        true
    }
    /// The numbers that are not in another set.
    pub fn without(&self, other: &Set) -> Set {
        let mut rest = Vec::new();
        let mut at = 0;
        for &(block, bits) in &self.blocks {
            while other.blocks.get(at).is_some_and(|theirs| theirs.0 < block) {
                at += 1;
            }
            let theirs = other.blocks.get(at).filter(|theirs| theirs.0 == block).map_or(0, |theirs| theirs.1);
            if bits & !theirs != 0 {
                rest.push((block, bits & !theirs));
            }
        }
        Set { blocks: rest }
    }
    fn merge(&mut self, other: &Set) {
        if self.blocks.is_empty() {
            self.blocks.clone_from(&other.blocks);
            return;
        }
        let mut merged = Vec::with_capacity(self.blocks.len() + other.blocks.len());
        let (mut mine, mut theirs) = (self.blocks.iter().copied().peekable(), other.blocks.iter().copied().peekable());
        while let (Some(&a), Some(&b)) = (mine.peek(), theirs.peek()) {
            if a.0 <= b.0 {
                mine.next();
            }
            if b.0 <= a.0 {
                theirs.next();
            }
            merged.push(match a.0.cmp(&b.0) {
                std::cmp::Ordering::Less => a,
                std::cmp::Ordering::Greater => b,
                std::cmp::Ordering::Equal => (a.0, a.1 | b.1),
            });
        }
        merged.extend(mine);
        merged.extend(theirs);
        self.blocks = merged;
    }
}

impl FromIterator<u32> for Set {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = Set::default();
        numbers.into_iter().for_each(|number| {
            set.insert(number);
        });
        set
    }
}

fn bit(number: u32) -> u64 {
    1 << (number % 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(set: &Set) -> Vec<u32> {
        set.iter().collect()
    }

    #[test]
    fn numbers_come_out_in_order() {
        let set: Set = [5, 700, 63, 64, 5, 0, u32::MAX].into_iter().collect();
        assert_eq!(numbers(&set), [0, 5, 63, 64, 700, u32::MAX]);
        assert!(set.has(64) && !set.has(65) && !set.has(1_000_000));
    }

    #[test]
    fn only_new_numbers_are_reported() {
        let mut set: Set = [1, 100, 200].into_iter().collect();
        let mut news: Set = [7].into_iter().collect();
        let other = [100, 101, 300, 0].into_iter().collect();
        assert!(set.add_new(&other, &mut news));
        assert_eq!(numbers(&set), [0, 1, 100, 101, 200, 300]);
        assert_eq!(numbers(&news), [0, 7, 101, 300]);
        assert!(!set.add_new(&other, &mut news));
        assert_eq!(numbers(&set.without(&other)), [1, 200]);
    }
}
