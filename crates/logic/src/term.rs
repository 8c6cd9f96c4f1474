//! Terms: shared, immutable, equal only if they are the same.
//!
//! A term's arguments are always made before it, so ascending order is an order of evaluation and no walk needs recursion.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::bits::Bits;
use crate::eval::ArrayValue;
use crate::op::Op;
use crate::rewrite;
use crate::sort::Sort;

/// A term of a [`Terms`]; meaningless in another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Its position in the order in which terms were made.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A constant of a [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConstantId(u32);

/// A variable of a [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(u32);

/// A constant array of a [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId(u32);

/// The arguments of a term.
pub type Args = SmallVec<[Term; 3]>;

/// An operator applied to arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// What it does.
    pub op: Op,
    /// The sort of the result.
    pub sort: Sort,
    /// With what.
    pub args: Args,
}

/// Something was put together that does not fit. No answer is given about terms after that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortError {
    /// The operator and the sorts of its arguments.
    pub message: String,
}

/// The store of terms, and the way to make them: see the constructors in [`build`](crate::Terms#impl-Terms-1).
#[derive(Clone, Default)]
pub struct Terms {
    nodes: IndexSet<Node, FxBuildHasher>,
    constants: IndexSet<Bits, FxBuildHasher>,
    tables: Vec<ArrayValue>,
    variables: IndexMap<String, (Sort, Term), FxBuildHasher>,
    error: Option<SortError>,
    plain: bool,
    /// How many rules are at work on the term that is being made, one inside the other, and how many were tried for it.
    nesting: u32,
    tries: u32,
    /// Reads at constant indices that were found by looking into both cases of a choice.
    pub(crate) selected: IndexMap<(Term, Term), Term, FxBuildHasher>,
    /// Parts of terms that were found by taking the parts of what they are made of: much is shared there.
    pub(crate) extracted: IndexMap<(Term, u32, u32), Term, FxBuildHasher>,
}

/// How much a store of terms holds.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    nodes: usize,
    constants: usize,
    tables: usize,
    variables: usize,
    selected: usize,
    extracted: usize,
}

/// Rules make terms, to which rules apply. These bounds keep the stack small and the time for one term short where a term is deep (a long sum
/// that is cut) or much shared (a sum doubled a hundred times); what is beyond them stays as it is.
const NESTING: u32 = 256;
const TRIES: u32 = 4096;

impl Terms {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }
    /// A store that keeps terms as they are made: to see what rewriting does.
    pub fn plain() -> Self {
        Terms { plain: true, ..Self::default() }
    }
    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// How much there is, to come back to.
    pub fn mark(&self) -> Mark {
        Mark {
            nodes: self.nodes.len(),
            constants: self.constants.len(),
            tables: self.tables.len(),
            variables: self.variables.len(),
            selected: self.selected.len(),
            extracted: self.extracted.len(),
        }
    }
    /// Forgets what was made since: terms that nobody holds any more. What is made next is what would have been made then.
    pub fn forget(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.constants.truncate(mark.constants);
        self.tables.truncate(mark.tables);
        self.variables.truncate(mark.variables);
        self.selected.truncate(mark.selected);
        self.extracted.truncate(mark.extracted);
    }
    /// The operator, sort and arguments of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }
    /// The operator of a term.
    pub fn op(&self, term: Term) -> Op {
        self.node(term).op
    }
    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.node(term).sort
    }
    /// The width of a term, as [`Sort::width`].
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).width()
    }
    /// The arguments of a term.
    pub fn args(&self, term: Term) -> &[Term] {
        &self.node(term).args
    }
    /// The name and sort of a variable.
    pub fn variable_info(&self, variable: VariableId) -> (&str, Sort) {
        self.variables.get_index(variable.0 as usize).map_or(("?", Sort::Bool), |(name, (sort, _))| (name, *sort))
    }
    /// All variables with their terms, in the order in which they were made.
    pub fn variable_terms(&self) -> impl Iterator<Item = (VariableId, Term)> + '_ {
        self.variables.values().enumerate().map(|(number, &(_, term))| (VariableId(number as u32), term))
    }
    /// The first ill-sorted construction, if there was one.
    pub fn error(&self) -> Option<&SortError> {
        self.error.as_ref()
    }

    /// The bits of a constant.
    pub fn constant_value(&self, constant: ConstantId) -> &Bits {
        &self.constants[constant.0 as usize]
    }
    /// The value of a constant bit-vector term.
    pub fn as_bits(&self, term: Term) -> Option<&Bits> {
        match self.op(term) {
            Op::Constant(constant) => Some(self.constant_value(constant)),
            _ => None,
        }
    }
    /// The value of a constant truth value.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.op(term) {
            Op::Bool(value) => Some(value),
            _ => None,
        }
    }
    /// The bit pattern of a constant float.
    pub fn as_float(&self, term: Term) -> Option<&Bits> {
        match (self.op(term), self.args(term)) {
            (Op::FloatFromBits(_), [bits]) => self.as_bits(*bits),
            _ => None,
        }
    }
    /// Whether a term is a constant of sort `Bool`, `Bits` or `Float`.
    pub fn is_constant(&self, term: Term) -> bool {
        match self.op(term) {
            Op::Bool(_) | Op::Constant(_) => true,
            Op::FloatFromBits(_) => self.args(term).first().is_some_and(|bits| matches!(self.op(*bits), Op::Constant(_))),
            _ => false,
        }
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Node { op: Op::Bool(value), sort: Sort::Bool, args: Args::new() })
    }
    /// A constant bit-vector.
    pub fn bits(&mut self, value: Bits) -> Term {
        let sort = Sort::Bits(value.width());
        let id = ConstantId(self.constants.insert_full(value).0 as u32);
        self.intern(Node { op: Op::Constant(id), sort, args: Args::new() })
    }
    /// A constant array with indices of this width: however much it holds, it costs only what is read of it.
    pub fn table(&mut self, index: u32, content: ArrayValue) -> Term {
        let element = content.default().width();
        let sort = Sort::Array { index, element };
        if !sort.is_possible() || content.entries().any(|(at, value)| at.width() != index || value.width() != element) {
            self.refuse(format!("a table of sort {sort} with entries of other widths"));
            return self.fresh("ill-sorted", Sort::Bool);
        }
        let id = TableId(self.tables.len() as u32);
        self.tables.push(content);
        self.intern(Node { op: Op::Table(id), sort, args: Args::new() })
    }
    /// What a constant array holds.
    pub fn table_value(&self, table: TableId) -> &ArrayValue {
        &self.tables[table.0 as usize]
    }
    /// The variable with this name: the same for the same name. A float variable is the float of a variable bit pattern.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        if let Sort::Float(format) = sort {
            let bits = self.variable(name, Sort::Bits(sort.width()));
            return self.float_from_bits(format, bits);
        }
        if !sort.is_possible() {
            self.refuse(format!("variable `{name}` of sort {sort}"));
            return self.fresh("ill-sorted", Sort::Bool);
        }
        if let Some(&(known, term)) = self.variables.get(name) {
            if known != sort {
                self.refuse(format!("variable `{name}` of sort {known} used as {sort}"));
            }
            return term;
        }
        let id = VariableId(self.variables.len() as u32);
        let term = self.intern(Node { op: Op::Variable(id), sort, args: Args::new() });
        self.variables.insert(name.to_owned(), (sort, term));
        term
    }
    /// A variable that no other term knows, with a name that begins like this.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        let mut number = self.variables.len();
        loop {
            let name = format!("{prefix}!{number}");
            if !self.variables.contains_key(&name) {
                return self.variable(&name, sort);
            }
            number += 1;
        }
    }

    /// An operator applied to arguments, simplified. `wanted` is the result's sort for operators whose arguments do not tell it.
    ///
    /// If the sorts do not fit, that is noted ([`Terms::error`]) and a variable of the wanted sort comes back, so that the caller needs no
    /// error path of its own; contexts then answer nothing but *unknown*.
    pub fn apply(&mut self, op: Op, args: &[Term], wanted: Option<Sort>) -> Term {
        let sorts: SmallVec<[Sort; 5]> = args.iter().map(|&arg| self.sort(arg)).collect();
        let Some(sort) = op.result(&sorts, wanted) else {
            let sorts: Vec<String> = sorts.iter().map(ToString::to_string).collect();
            self.refuse(format!("{op:?} does not fit arguments of sorts ({})", sorts.join(", ")));
            return self.fresh("ill-sorted", wanted.filter(|sort| sort.is_possible()).unwrap_or(Sort::Bool));
        };
        let mut args = Args::from_slice(args);
        if op.commutes() && args[0] > args[1] {
            args.swap(0, 1);
        }
        self.simplified(op, sort, &args).unwrap_or_else(|| self.intern(Node { op, sort, args }))
    }

    fn simplified(&mut self, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
        if self.plain {
            return None;
        }
        self.tries = if self.nesting == 0 { 1 } else { self.tries + 1 };
        if self.nesting >= NESTING || self.tries > TRIES {
            return rewrite::fold(self, op, sort, args);
        }
        self.nesting += 1;
        let simpler = rewrite::simplify(self, op, sort, args);
        self.nesting -= 1;
        simpler
    }

    fn refuse(&mut self, message: String) {
        self.error.get_or_insert(SortError { message });
    }

    fn intern(&mut self, node: Node) -> Term {
        Term(self.nodes.insert_full(node).0 as u32)
    }

    /// The terms that these are made of, themselves included, in ascending order.
    pub fn cone(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut open: Vec<Term> = roots.to_vec();
        let mut cone = Vec::new();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                cone.push(term);
                open.extend_from_slice(self.args(term));
            }
        }
        cone.sort_unstable();
        cone
    }
    /// How many different terms these are made of.
    pub fn size(&self, roots: &[Term]) -> usize {
        self.cone(roots).len()
    }
    /// How many terms a term is made of, itself included, if they are no more than this.
    pub fn size_within(&self, root: Term, limit: usize) -> Option<usize> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                open.extend(self.args(term));
            }
            if seen.len() > limit {
                return None;
            }
        }
        Some(seen.len())
    }
    /// Whether these are made of more different terms than that.
    pub fn are_more_than(&self, roots: &[Term], limit: usize) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                open.extend(self.args(term));
            }
            if seen.len() > limit {
                return true;
            }
        }
        false
    }
    /// The variables in these terms, in the order in which they were made.
    pub fn free_variables(&self, roots: &[Term]) -> Vec<VariableId> {
        let mut variables: Vec<VariableId> = self
            .cone(roots)
            .into_iter()
            .filter_map(|term| match self.op(term) {
                Op::Variable(variable) => Some(variable),
                _ => None,
            })
            .collect();
        variables.sort_unstable();
        variables
    }
    /// A term as it is where a condition holds: equal to it there, and simpler if the condition decides a choice that it begins with.
    pub fn under(&self, condition: Term, term: Term) -> Term {
        rewrite::under(self, condition, term)
    }
    /// The term with some terms (usually variables) replaced by others of the same sort, at once.
    pub fn substitute(&mut self, term: Term, replaced: &FxHashMap<Term, Term>) -> Term {
        let mut done: FxHashMap<Term, Term> = replaced.clone();
        self.substitute_with(term, &mut done)
    }
    /// The same with a table that is kept between calls: it holds the results for the parts of terms done so far.
    pub fn substitute_with(&mut self, term: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        let mut open = vec![term];
        while let Some(&top) = open.last() {
            if done.contains_key(&top) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(self.args(top).iter().copied().filter(|arg| !done.contains_key(arg)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let node = self.node(top).clone();
            let args: Args = node.args.iter().map(|arg| done.get(arg).copied().unwrap_or(*arg)).collect();
            let result = if args == node.args { top } else { self.apply(node.op, &args, Some(node.sort)) };
            done.insert(top, result);
        }
        done.get(&term).copied().unwrap_or(term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(terms: &mut Terms) -> [Term; 3] {
        ["x", "y", "z"].map(|name| terms.variable(name, Sort::Bits(8)))
    }

    #[test]
    fn equal_terms_are_the_same_term() {
        let mut terms = Terms::plain();
        let [x, y, _] = variables(&mut terms);
        let (sum, again, difference) = (terms.add(x, y), terms.add(y, x), terms.sub(x, y));
        assert_eq!(sum, again);
        assert_ne!(difference, terms.sub(y, x));
        assert_eq!(terms.variable("x", Sort::Bits(8)), x);
        assert_eq!(terms.number(8, 300), terms.number(8, 44));
    }

    #[test]
    fn sizes_count_shared_parts_once() {
        let mut terms = Terms::plain();
        let [x, y, z] = variables(&mut terms);
        let sum = terms.add(x, y);
        let square = terms.mul(sum, sum);
        assert_eq!(terms.cone(&[square]), [x, y, sum, square]);
        assert_eq!(terms.size(&[square]), 4);
        assert_eq!(terms.size(&[square, sum, z]), 5);
        assert_eq!(terms.size(&[]), 0);
    }

    #[test]
    fn free_variables_come_in_the_order_in_which_they_were_made() {
        let mut terms = Terms::plain();
        let [x, y, z] = variables(&mut terms);
        let (ids, one): (Vec<VariableId>, _) = (terms.variable_terms().map(|(id, _)| id).collect(), terms.one(8));
        let sum = terms.add(z, x);
        let product = terms.mul(sum, one);
        assert_eq!(terms.free_variables(&[product]), [ids[0], ids[2]]);
        assert_eq!(terms.free_variables(&[y, product]), ids);
        assert_eq!(terms.free_variables(&[one]), []);
    }

    #[test]
    fn substitution_replaces_all_at_once() {
        let mut terms = Terms::plain();
        let [x, y, z] = variables(&mut terms);
        let difference = terms.sub(x, y);
        let term = terms.mul(difference, x);
        // Exchanged, not one after the other.
        let exchanged = terms.substitute(term, &FxHashMap::from_iter([(x, y), (y, x)]));
        let other = terms.sub(y, x);
        assert_eq!(exchanged, terms.mul(other, y));
        // Whole terms too, also the root, and what is in the replacement stays.
        let sum = terms.add(x, z);
        let replaced = terms.substitute(term, &FxHashMap::from_iter([(difference, sum)]));
        assert_eq!(replaced, terms.mul(sum, x));
        assert_eq!(terms.substitute(term, &FxHashMap::from_iter([(term, z)])), z);
        assert_eq!(terms.substitute(term, &FxHashMap::default()), term);
    }

    #[test]
    fn substitution_simplifies_and_keeps_what_it_did() {
        let mut terms = Terms::new();
        let [x, y, z] = variables(&mut terms);
        let (sum, two, three, five) = (terms.add(x, y), terms.number(8, 2), terms.number(8, 3), terms.number(8, 5));
        let mut done = FxHashMap::from_iter([(x, two), (y, three)]);
        assert_eq!(terms.substitute_with(sum, &mut done), five);
        let more = terms.mul(sum, z);
        let wanted = terms.mul(five, z);
        assert_eq!(terms.substitute_with(more, &mut done), wanted);
        assert_eq!(done.get(&sum), Some(&five));
    }

    #[test]
    fn a_replacement_of_another_sort_is_refused() {
        let mut terms = Terms::new();
        let [x, y, _] = variables(&mut terms);
        let (sum, wide) = (terms.add(x, y), terms.variable("wide", Sort::Bits(16)));
        terms.substitute(sum, &FxHashMap::from_iter([(x, wide)]));
        assert!(terms.error().is_some());
    }

    #[test]
    fn names_of_fresh_variables_are_new() {
        let mut terms = Terms::new();
        let taken = terms.variable("a!1", Sort::Bool);
        let (first, second) = (terms.fresh("a", Sort::Bool), terms.fresh("a", Sort::Bool));
        assert!(first != taken && second != taken && first != second);
    }
}
