//! Slices: of a large question, the part that decides it most of the time.
//!
//! A question is about a few variables; most of the path that leads to it, and most of what is known of loops, says nothing about them. A slice takes
//! the facts about these variables and about those that the facts speak of, and replaces conditions that mention none of them by fresh variables;
//! so it does with what is long past. What is impossible for all values of a variable is impossible for the term that it stands for, and without some of the
//! facts: an answer "impossible" for the slice is one for the whole question. The other answer says nothing.

use std::ops::Range;

use logic::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a fact is about.
#[derive(Clone, Debug, Default)]
pub struct Topic {
    /// The variables, or reads, that it tells something of.
    pub about: Vec<Term>,
    /// The terms whose variables it relates them to.
    pub said: Vec<Term>,
    /// How many terms there were at the point of the walk from which on it matters.
    pub from: usize,
}

impl Topic {
    /// The topic of a fact that matters everywhere.
    pub fn new(about: Vec<Term>, said: Vec<Term>) -> Self {
        Topic { about, said, from: 0 }
    }

    /// The topic of what takes the place of a fact that may be noted later.
    pub(crate) fn vacant() -> Self {
        Topic { from: usize::MAX, ..Topic::default() }
    }
    pub(crate) fn is_vacant(&self) -> bool {
        self.from == usize::MAX
    }
}

/// Facts by what they are about.
pub struct FactIndex<'a> {
    facts: &'a [Term],
    topics: &'a [Topic],
    by_variable: FxHashMap<Term, Vec<usize>>,
}

impl<'a> FactIndex<'a> {
    /// Facts with a topic each.
    pub fn new(facts: &'a [Term], topics: &'a [Topic]) -> Self {
        let mut by_variable: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
        for (position, topic) in topics.iter().enumerate() {
            for &variable in &topic.about {
                by_variable.entry(variable).or_default().push(position);
            }
        }
        FactIndex { facts, topics, by_variable }
    }
}

/// How much a slice takes in.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// How far facts lead to variables of which other facts speak.
    pub rounds: u32,
    /// How many facts there may be.
    pub facts: usize,
    /// Larger conditions become variables, whatever they mention.
    pub condition: usize,
}

/// Old terms that are no larger than this are kept.
const SMALL: usize = 60;
/// So many writes to an array count in a condition that is too large.
const WRITES: usize = 8;
/// Larger values that were written to arrays lead to no facts.
const WRITTEN: usize = 3;
/// What is said in more terms than this does not lead to other facts.
const SAID: usize = 300;

/// A part of a question.
pub struct Slice {
    /// Terms that were made before are long past; facts that matter only behind it do not matter.
    period: Range<usize>,
    extent: Extent,
    /// Variables that are no arrays, and reads.
    scalars: FxHashSet<Term>,
    arrays: FxHashSet<Term>,
    /// Variables whose facts were not looked for yet.
    open: Vec<Term>,
    touches: FxHashMap<Term, bool>,
    replaced: FxHashMap<Term, Term>,
    meaning: Meaning,
    seen: FxHashSet<Term>,
    /// The positions of the facts that were taken in.
    taken: FxHashSet<usize>,
}

impl Slice {
    /// A slice that is about nothing yet, of a point of the walk at which there were so many terms as the period ends with. Those that were made before it
    /// begins are long past.
    pub fn new(period: Range<usize>, extent: Extent) -> Self {
        Slice {
            period,
            extent,
            scalars: FxHashSet::default(),
            arrays: FxHashSet::default(),
            open: Vec::new(),
            touches: FxHashMap::default(),
            replaced: FxHashMap::default(),
            meaning: Meaning::default(),
            seen: FxHashSet::default(),
            taken: FxHashSet::default(),
        }
    }

    /// A term that stays as it is, however old and large.
    pub fn keep(&mut self, term: Term) {
        self.replaced.insert(term, term);
    }

    /// The question is about what these terms mention.
    pub fn include(&mut self, terms: &Terms, roots: &[Term]) {
        let (mut open, mut seen) = (roots.to_vec(), FxHashSet::default());
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let is_array = matches!(terms.sort(term), Sort::Array { .. });
            match terms.op(term) {
                Op::Variable(_) if is_array => {
                    if self.arrays.insert(term) {
                        self.open.push(term);
                    }
                }
                Op::Variable(_) => {
                    if self.scalars.insert(term) {
                        self.open.push(term);
                    }
                }
                Op::Select => {
                    if self.scalars.insert(term) {
                        self.open.push(term);
                    }
                    open.extend(terms.args(term));
                }
                // What was written to other elements is another matter, unless it is a variable: any of a few may be what is read.
                Op::Store if terms.size_within(terms.args(term)[2], WRITTEN).is_some() => {
                    open.extend([terms.args(term)[0], terms.args(term)[2]])
                }
                _ if is_array => open.extend(terms.args(term).iter().filter(|arg| matches!(terms.sort(**arg), Sort::Array { .. }))),
                _ => open.extend(terms.args(term)),
            }
        }
    }

    /// Whether the question is about this variable.
    pub fn is_about(&self, variable: Term) -> bool {
        self.scalars.contains(&variable)
    }

    /// Takes in the facts about what the question mentions, and so on; which they are.
    pub fn facts(&mut self, terms: &Terms, index: &FactIndex<'_>) -> Vec<Term> {
        let mut chosen = Vec::new();
        for _ in 0..self.extent.rounds {
            let variables = std::mem::take(&mut self.open);
            for &variable in &variables {
                self.take_facts(terms, index, variable, &mut chosen);
            }
        }
        chosen
    }

    /// The question is also about what the parts of conditions mention that mention what it is about. To be followed by another look for facts.
    pub fn spread(&mut self, terms: &Terms, conditions: &[Term]) {
        let (mut open, mut seen) = (conditions.to_vec(), FxHashSet::default());
        let mut mentioning = Vec::new();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if is_connective(terms, term) {
                open.extend(terms.args(term));
            } else if self.mentions(terms, term) && terms.size_within(term, self.extent.condition).is_some() {
                mentioning.push(term);
            }
        }
        self.include(terms, &mentioning);
        self.touches.clear();
    }

    /// Takes in the facts about a variable.
    fn take_facts(&mut self, terms: &Terms, index: &FactIndex<'_>, variable: Term, chosen: &mut Vec<Term>) {
        let mut open = vec![variable];
        while let Some(variable) = open.pop() {
            for &position in index.by_variable.get(&variable).into_iter().flatten() {
                let later = index.topics[position].from > self.period.end;
                if later || self.taken.len() >= self.extent.facts || !self.taken.insert(position) {
                    continue;
                }
                chosen.push(index.facts[position]);
                for &said in &index.topics[position].said {
                    // That an invariant holds is said by another fact, without which it is worth nothing.
                    if terms.sort(said) == Sort::Bool && matches!(terms.op(said), Op::Variable(_)) {
                        open.push(said);
                        self.scalars.insert(said);
                    } else if terms.size_within(said, SAID).is_some() {
                        self.include(terms, &[said]);
                    }
                }
            }
        }
    }

    /// Whether a term mentions what the question is about.
    fn mentions(&mut self, terms: &Terms, root: Term) -> bool {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.touches.contains_key(&term) {
                open.pop();
                continue;
            }
            let direct = self.scalars.contains(&term) || self.arrays.contains(&term);
            let parts: Vec<Term> = if direct { Vec::new() } else { parts(terms, term) };
            let unknown: Vec<Term> = parts.iter().copied().filter(|part| !self.touches.contains_key(part)).collect();
            if unknown.is_empty() {
                let touches = direct || parts.iter().any(|part| self.touches.get(part) == Some(&true));
                self.touches.insert(term, touches);
                open.pop();
            } else {
                open.extend(unknown);
            }
        }
        self.touches.get(&root).copied().unwrap_or(true)
    }

    /// A condition as it is in the slice.
    pub fn condition(&mut self, terms: &mut Terms, root: Term) -> Term {
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if self.replaced.contains_key(&term) || !self.seen.insert(term) {
                continue;
            }
            let past = term.index() < self.period.start && terms.op(term) != Op::And && terms.size_within(term, SMALL).is_none();
            if past {
                self.forget(terms, term);
            } else if is_connective(terms, term) {
                // A choice between ways of which none has to do with the question. Of a conjunction, each part may be known elsewhere.
                if terms.op(term) != Op::And && !self.mentions(terms, term) {
                    self.forget(terms, term);
                } else {
                    open.extend(terms.args(term));
                }
            } else if matches!(terms.op(term), Op::Variable(_) | Op::Bool(_)) {
                continue;
            } else if let Some(inside) = self.mentions(terms, term).then(|| self.fits(terms, term)).flatten() {
                open.extend(inside);
                self.forget_past(terms, term);
            } else {
                self.forget(terms, term);
            }
        }
        terms.substitute_with(root, &mut self.replaced)
    }

    /// If a condition is small enough: the conditions on which parts of it depend, if it is small without them. Of arrays of which something is said as a
    /// whole, only the last writes count: what lies below them is forgotten where it is too much.
    fn fits(&mut self, terms: &mut Terms, root: Term) -> Option<Vec<Term>> {
        if terms.size_within(root, self.extent.condition).is_some() {
            return Some(Vec::new());
        }
        let is_segment = matches!(terms.op(root), Op::Within { .. } | Op::Agree { .. });
        let mut open = vec![(root, 0)];
        let (mut seen, mut below, mut inside) = (FxHashSet::default(), Vec::new(), Vec::new());
        while let Some((term, depth)) = open.pop() {
            if self.replaced.contains_key(&term) || !seen.insert(term) {
                continue;
            }
            if seen.len() > self.extent.condition {
                return None;
            }
            let is_array = matches!(terms.sort(term), Sort::Array { .. });
            if is_array && is_segment && depth >= WRITES {
                below.push(term);
            } else if term != root && terms.sort(term) == Sort::Bool {
                inside.push(term);
            } else {
                let inner = |arg: Term| if is_array && matches!(terms.sort(arg), Sort::Array { .. }) { depth + 1 } else { 0 };
                open.extend(terms.args(term).iter().map(|&arg| (arg, inner(arg))));
            }
        }
        below.retain(|array| !matches!(terms.op(*array), Op::Variable(_)));
        below.into_iter().for_each(|array| self.forget(terms, array));
        Some(inside)
    }

    /// Another term as it is in the slice: only what is long past is not there.
    pub fn term(&mut self, terms: &mut Terms, root: Term) -> Term {
        self.forget_past(terms, root);
        terms.substitute_with(root, &mut self.replaced)
    }

    fn forget_past(&mut self, terms: &mut Terms, root: Term) {
        let mut open = vec![root];
        let mut seen = FxHashSet::default();
        while let Some(part) = open.pop() {
            if self.replaced.contains_key(&part) || !seen.insert(part) {
                continue;
            }
            if part.index() >= self.period.start {
                open.extend(terms.args(part));
            } else if terms.size_within(part, SMALL).is_none() {
                self.forget(terms, part);
            }
        }
    }

    fn forget(&mut self, terms: &mut Terms, term: Term) {
        let variable = terms.fresh("past", terms.sort(term));
        self.replaced.insert(term, variable);
        self.meaning.0.insert(variable, term);
    }

    /// What its fresh variables stand for.
    pub fn meaning(self) -> Meaning {
        self.meaning
    }
}

/// What the fresh variables of a slice stand for.
#[derive(Default)]
pub struct Meaning(FxHashMap<Term, Term>);

impl Meaning {
    /// A term of the slice as it is in the whole question.
    pub fn recalled(&mut self, terms: &mut Terms, term: Term) -> Term {
        terms.substitute_with(term, &mut self.0)
    }
}

/// Where a term may mention something; elements of arrays only by their own indices.
fn parts(terms: &Terms, term: Term) -> Vec<Term> {
    let is_array = |term: Term| matches!(terms.sort(term), Sort::Array { .. });
    match terms.op(term) {
        Op::Select => terms.args(term).iter().copied().filter(|arg| !is_array(*arg)).collect(),
        _ if is_array(term) => terms.args(term).iter().copied().filter(|arg| is_array(*arg)).collect(),
        _ => terms.args(term).to_vec(),
    }
}

/// Whether a term says something about truth values only.
fn is_connective(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Not | Op::And | Op::Or | Op::Xor => true,
        Op::Ite => terms.sort(term) == Sort::Bool,
        Op::Equal => terms.args(term).first().is_some_and(|arg| terms.sort(*arg) == Sort::Bool),
        _ => false,
    }
}

/// The variables in a term that are no older than this, without those that only other elements of its arrays mention.
pub(crate) fn variables_since(terms: &Terms, root: Term, since: usize) -> Vec<Term> {
    let (mut open, mut seen) = (vec![root], FxHashSet::default());
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        if term.index() < since || !seen.insert(term) {
            continue;
        }
        match terms.op(term) {
            Op::Variable(_) => found.push(term),
            _ if matches!(terms.sort(term), Sort::Array { .. }) => open.extend(parts(terms, term)),
            _ => open.extend(terms.args(term)),
        }
    }
    found.sort_unstable();
    found
}

/// The variables and reads that a value is chosen from.
pub(crate) fn sources(terms: &Terms, root: Term) -> Vec<Term> {
    let (mut open, mut seen) = (vec![root], FxHashSet::default());
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        match terms.op(term) {
            _ if !seen.insert(term) => {}
            Op::Variable(_) | Op::Select => found.push(term),
            _ => open.extend(terms.args(term)),
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent = Extent { rounds: 2, facts: 10, condition: 100 };

    struct World {
        terms: Terms,
        x: Term,
        y: Term,
        z: Term,
    }

    fn world() -> World {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, Sort::Bits(8)));
        World { terms, x, y, z }
    }

    #[test]
    fn facts_lead_to_other_facts() {
        let World { mut terms, x, y, z } = world();
        let (below, other) = (terms.ult(x, y), terms.ult(y, z));
        let facts = [below, other];
        let topics = [Topic::new(vec![x], vec![below]), Topic::new(vec![y], vec![other])];
        let index = FactIndex::new(&facts, &topics);
        let mut slice = Slice::new(0..usize::MAX, EXTENT);
        slice.include(&terms, &[x]);
        assert_eq!(slice.facts(&terms, &index), facts);
        let mut about_z = Slice::new(0..usize::MAX, EXTENT);
        about_z.include(&terms, &[z]);
        assert_eq!(about_z.facts(&terms, &index), []);
    }

    #[test]
    fn conditions_about_other_things_become_variables_and_are_recalled() {
        let World { mut terms, x, y, z } = world();
        let (here, elsewhere) = (terms.ult(x, y), terms.ult(y, z));
        let both = terms.and(here, elsewhere);
        let mut slice = Slice::new(0..usize::MAX, EXTENT);
        slice.include(&terms, &[x]);
        let sliced = slice.condition(&mut terms, both);
        assert_ne!(sliced, both);
        assert!(terms.args(sliced).contains(&here));
        assert_eq!(slice.condition(&mut terms, both), sliced);
        assert_eq!(slice.meaning().recalled(&mut terms, sliced), both);
    }

    #[test]
    fn the_past_is_forgotten() {
        let World { mut terms, x, mut y, z } = world();
        for _ in 0..SMALL {
            let next = terms.mul(y, z);
            y = terms.add(next, x);
        }
        let since = terms.len();
        let below = terms.ult(x, y);
        let mut slice = Slice::new(since..usize::MAX, Extent { condition: 1000, ..EXTENT });
        slice.include(&terms, &[x]);
        let sliced = slice.condition(&mut terms, below);
        assert!(terms.size_within(sliced, 5).is_some());
        assert_eq!(slice.term(&mut terms, y), *terms.args(sliced).last().unwrap());
    }

    #[test]
    fn what_a_choice_depends_on_may_be_large() {
        let World { mut terms, x, y, z } = world();
        let mut large = y;
        for _ in 0..EXTENT.condition {
            let next = terms.mul(large, z);
            large = terms.add(next, y);
        }
        let (depends, seven, nine) = (terms.ult(y, large), terms.number(8, 7), terms.number(8, 9));
        let limit = terms.ite(depends, seven, nine);
        let below = terms.ult(x, limit);
        let mut slice = Slice::new(0..usize::MAX, EXTENT);
        slice.include(&terms, &[x]);
        let sliced = slice.condition(&mut terms, below);
        assert!(terms.size_within(sliced, 10).is_some() && sources(&terms, sliced).contains(&x), "{}", terms.display(sliced));
        assert_eq!(slice.meaning().recalled(&mut terms, sliced), below);
    }

    #[test]
    fn what_may_be_read_is_known() {
        let World { mut terms, x, y, .. } = world();
        let sizes = terms.variable("sizes", Sort::Array { index: 8, element: 8 });
        let [three, four] = [3, 4].map(|value| terms.number(8, value));
        let written = terms.store(sizes, three, y);
        let read = terms.select(written, x);
        let fact = terms.ult(four, y);
        let (facts, topics) = ([fact], [Topic::new(vec![y], vec![fact])]);
        let mut slice = Slice::new(0..usize::MAX, EXTENT);
        slice.include(&terms, &[read]);
        assert_eq!(slice.facts(&terms, &FactIndex::new(&facts, &topics)), facts);
    }
}
