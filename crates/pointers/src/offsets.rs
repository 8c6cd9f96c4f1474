//! Sets of byte offsets: what is known about where in its object a pointer points.

use std::fmt;

/// The offsets `start + step·j + stride·i` with `0 ≤ j < count` and any integer `i`.
///
/// One number: no step, no stride. The elements of an array as a whole: a stride, since a pointer may move as far as its object goes. The
/// elements of an array that is a member and is indexed in place: a step and a count, since the index is checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Offsets {
    start: i64,
    step: u64,
    count: u64,
    stride: u64,
}

/// How two accesses of one object can meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overlap {
    /// They can be at the same bytes.
    pub same: bool,
    /// They can share some bytes and not others.
    pub partial: bool,
}

/// Beyond this, offsets are no longer told apart; sums of two stay far from overflow.
const FAR: i64 = 1 << 60;

impl Offsets {
    /// Offset 0 only.
    pub const ZERO: Offsets = Offsets { start: 0, step: 0, count: 1, stride: 0 };
    /// All offsets.
    pub const ANY: Offsets = Offsets { start: 0, step: 0, count: 1, stride: 1 };

    /// One offset.
    pub fn exact(offset: i64) -> Self {
        Offsets::normal(offset, 0, 1, 0)
    }
    /// All offsets that leave the same residue as `start` when divided by `stride`; one offset if the stride is 0.
    pub fn class(start: i64, stride: u64) -> Self {
        Offsets::normal(start, 0, 1, stride)
    }
    /// `count` offsets from `start` on, `step` apart.
    pub fn run(start: i64, step: u64, count: u64) -> Self {
        Offsets::normal(start, step, count, 0)
    }

    /// The same set in its only form.
    fn normal(start: i64, step: u64, count: u64, stride: u64) -> Self {
        let far = FAR as u64;
        if start.unsigned_abs() >= far || step >= far || stride >= far || step.checked_mul(count).is_none_or(|span| span >= far) {
            return Offsets::ANY;
        }
        let (step, count) = if step == 0 || count <= 1 { (0, 1) } else { (step, count) };
        // A run that goes once around its stride is taken for all of its residues.
        let (step, count, stride) = if stride > 0 && step * count >= stride { (0, 1, gcd(stride, step)) } else { (step, count, stride) };
        let start = if stride > 0 { start.rem_euclid(stride as i64) } else { start };
        Offsets { start, step, count, stride }
    }

    /// The offset, if there is only one.
    pub fn single(self) -> Option<i64> {
        (self.count == 1 && self.stride == 0).then_some(self.start)
    }
    /// The smallest and the largest offset, if there are such.
    pub fn bounds(self) -> Option<(i64, i64)> {
        (self.stride == 0).then(|| (self.start, self.start + self.span()))
    }
    /// The smallest of the offsets; of those from 0 on, if there is none.
    pub fn start(self) -> i64 {
        self.start
    }
    /// Two numbers with the same remainder in it can both be distances between offsets; 0 for a single offset.
    pub fn granularity(self) -> u64 {
        gcd(self.step, self.stride)
    }
    /// After how many bytes the offsets repeat, without end; 0 if they do not.
    pub fn stride(self) -> u64 {
        self.stride
    }
    fn span(self) -> i64 {
        (self.step * (self.count - 1)) as i64
    }

    /// The sums of one offset from each set, and perhaps more.
    pub fn plus(self, other: Offsets) -> Offsets {
        let stride = gcd(self.stride, other.stride);
        let (left, right) = (self.modulo(stride), other.modulo(stride));
        let (inner, outer) = if left.step <= right.step { (left, right) } else { (right, left) };
        let (step, count, stride) = match (inner.count, outer.count) {
            (_, 1) => (inner.step, inner.count, stride),
            (1, _) => (outer.step, outer.count, stride),
            // Arrays in the elements of an array: that they stay apart is worth more than where the outer one ends.
            _ if stride == 0 && inner.step * inner.count <= outer.step => (inner.step, inner.count, outer.step),
            _ => {
                let step = gcd(inner.step, outer.step);
                (step, (inner.span() + outer.span()) as u64 / step + 1, stride)
            }
        };
        Offsets::normal(self.start + other.start, step, count, stride)
    }
    /// The run without steps that repeat what a stride has anyway.
    fn modulo(self, stride: u64) -> Offsets {
        if stride > 0 && self.step.is_multiple_of(stride) { Offsets { step: 0, count: 1, ..self } } else { self }
    }
    /// The offsets with opposite sign.
    pub fn negated(self) -> Offsets {
        Offsets::normal(-(self.start + self.span()), self.step, self.count, self.stride)
    }
    /// All distances from an offset of the other set to one of this set, and perhaps more.
    pub fn minus(self, other: Offsets) -> Offsets {
        self.plus(other.negated())
    }
    /// A class that has the offsets of both sets.
    pub fn join(self, other: Offsets) -> Offsets {
        let distance = self.start.abs_diff(other.start);
        Offsets::class(self.start, gcd(distance, gcd(self.granularity(), other.granularity())))
    }

    /// The smallest offset from `low` on.
    fn next_from(self, low: i64) -> Option<i64> {
        let missing = i128::from(low) - i128::from(self.start);
        if self.stride == 0 {
            let position =
                if self.step == 0 { i128::from(missing > 0) } else { missing.max(0).unsigned_abs().div_ceil(self.step.into()) as i128 };
            return (position < i128::from(self.count)).then(|| self.start + (position as u64 * self.step) as i64);
        }
        // Distances from `low` modulo the stride: those of the run's first element, and of its first element behind a multiple of the stride.
        let first = (-missing).rem_euclid(self.stride.into()) as u64;
        let wrapped = match self.step {
            0 => None,
            step => Some((self.stride - first).div_ceil(step)).filter(|&j| j < self.count).map(|j| first + step * j - self.stride),
        };
        i64::try_from(i128::from(low) + i128::from(wrapped.map_or(first, |wrapped| wrapped.min(first)))).ok()
    }
    /// Whether an offset is among `low` to `high` − 1.
    pub fn meets(self, low: i64, high: i64) -> bool {
        self.next_from(low).is_some_and(|offset| offset < high)
    }
    /// The set as far as only those among `low` to `high` − 1 count: `None` if there are none, exact if there is one.
    pub fn within(self, low: i64, high: i64) -> Option<Offsets> {
        let first = self.next_from(low).filter(|&first| first < high)?;
        Some(if self.meets(first.saturating_add(1), high) { self } else { Offsets::exact(first) })
    }
    /// Whether this offset is in the set.
    pub fn has(self, offset: i64) -> bool {
        self.meets(offset, offset.saturating_add(1))
    }
    /// Whether all offsets of the other set are in this one; may say no although they are.
    pub fn contains(self, other: Offsets) -> bool {
        if self == other {
            return true;
        }
        if self.count == 1 && self.stride > 0 {
            return other.granularity().is_multiple_of(self.stride) && self.has(other.start);
        }
        let small_run = other.count <= 64 && other.stride.is_multiple_of(self.stride.max(1)) && (other.stride == 0 || self.stride > 0);
        small_run && (0..other.count).all(|j| self.has(other.start + (other.step * j) as i64))
    }
    /// How an access of `size` bytes at these offsets can meet one of `other_size` bytes at the others.
    pub fn overlap(self, size: u64, other: Offsets, other_size: u64) -> Overlap {
        let distances = self.minus(other);
        let (below, above) = (1 - clamp(size), clamp(other_size));
        let zero = size > 0 && other_size > 0 && distances.has(0);
        let elsewhere = distances.meets(below, 0) || distances.meets(1, above);
        Overlap { same: zero && size == other_size, partial: elsewhere || zero && size != other_size }
    }
}

impl Overlap {
    /// Whether they can meet at all.
    pub fn any(self) -> bool {
        self.same || self.partial
    }
}

/// A size as a distance; sizes beyond all objects are cut.
fn clamp(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(FAR).min(FAR)
}

/// The greatest common divisor; 0 stands for "no distance".
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl fmt::Display for Offsets {
    /// `8`, `8 mod 24`, `4..16 by 4` (inclusive), `4..16 by 4 mod 24`, `*` for all.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Offsets::ANY {
            return f.write_str("*");
        }
        write!(f, "{}", self.start)?;
        if self.count > 1 {
            write!(f, "..{} by {}", self.start + self.span(), self.step)?;
        }
        if self.stride > 0 {
            write!(f, " mod {}", self.stride)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offsets of the set between -60 and 70, by its definition.
    fn members(set: Offsets) -> Vec<i64> {
        let cycles = if set.stride == 0 { 0..=0 } else { -100..=100 };
        let mut all: Vec<i64> =
            cycles.flat_map(|i| (0..set.count).map(move |j| set.start + (set.step * j) as i64 + set.stride as i64 * i)).collect();
        all.retain(|offset| (-60..70).contains(offset));
        all.sort_unstable();
        all.dedup();
        all
    }

    fn samples() -> Vec<Offsets> {
        let mut samples = vec![Offsets::ZERO, Offsets::ANY];
        for start in [-5, 0, 8] {
            for step in [0, 1, 4] {
                for count in [1, 5] {
                    for stride in [0, 7, 24] {
                        samples.push(Offsets::normal(start, step, count, stride));
                    }
                }
            }
        }
        samples
    }

    #[test]
    fn membership_follows_the_definition() {
        for set in samples() {
            let members = members(set);
            for offset in -60..60 {
                assert_eq!(set.has(offset), members.binary_search(&offset).is_ok(), "{offset} in {set}");
                assert_eq!(set.meets(offset, offset + 5), members.iter().any(|m| (offset..offset + 5).contains(m)), "{offset} in {set}");
            }
        }
    }

    #[test]
    fn sums_and_joins_lose_nothing() {
        for a in samples() {
            for b in samples() {
                let (sum, join, distance) = (a.plus(b), a.join(b), a.minus(b));
                for x in members(a) {
                    assert!(join.has(x), "{x} of {a} in {join}");
                    for y in members(b).into_iter().filter(|y| y.abs() < 12) {
                        assert!(sum.has(x + y), "{x} of {a} plus {y} of {b} in {sum}");
                        assert!(distance.has(x - y), "{x} of {a} minus {y} of {b} in {distance}");
                    }
                }
            }
        }
    }

    #[test]
    fn containment_is_never_wrong() {
        for a in samples() {
            for b in samples() {
                if a.contains(b) {
                    assert!(members(b).iter().all(|&x| a.has(x)), "{b} in {a}");
                }
            }
        }
        assert!(Offsets::ANY.contains(Offsets::run(4, 4, 10)));
        assert!(Offsets::class(0, 4).contains(Offsets::class(8, 24)));
        assert!(!Offsets::exact(0).contains(Offsets::class(0, 8)));
        assert!(Offsets::run(0, 4, 5).contains(Offsets::exact(8)));
    }

    #[test]
    fn accesses_overlap() {
        let overlap = |a, m, b, n| Offsets::overlap(a, m, b, n);
        let exact = Offsets::exact;
        assert_eq!(overlap(exact(8), 8, exact(8), 8), Overlap { same: true, partial: false });
        assert_eq!(overlap(exact(8), 8, exact(16), 8), Overlap { same: false, partial: false });
        assert_eq!(overlap(exact(8), 8, exact(12), 4), Overlap { same: false, partial: true });
        assert_eq!(overlap(exact(8), 4, Offsets::class(0, 4), 4), Overlap { same: true, partial: false });
        assert_eq!(overlap(Offsets::class(0, 2), 4, Offsets::class(0, 2), 4), Overlap { same: true, partial: true });
        assert_eq!(overlap(Offsets::class(16, 24), 8, Offsets::run(4, 1, 10), 1), Overlap { same: false, partial: false });
        assert_eq!(overlap(Offsets::run(8, 16, 4), 8, Offsets::normal(0, 1, 8, 16), 1), Overlap { same: false, partial: false });
        assert_eq!(overlap(Offsets::run(4, 1, 10), 1, Offsets::exact(0), 4), Overlap { same: false, partial: false });
    }

    #[test]
    fn nothing_overflows() {
        let far = Offsets::exact(i64::MAX);
        assert_eq!(far, Offsets::ANY);
        let edge = Offsets::run(FAR - 1, 1, 5);
        assert!(edge.plus(edge).plus(edge).contains(edge));
        assert!(!Offsets::exact(0).meets(i64::MIN, i64::MIN + 5));
        assert!(Offsets::exact(-3).overlap(u64::MAX, Offsets::exact(5), 1).partial);
    }
}
