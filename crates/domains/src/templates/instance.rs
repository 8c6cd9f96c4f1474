//! Templates about the variables of a loop.

use encode::{Aspect, Formula, Linear, Moment, Quantity, Relation, Source};
use model::{ExprId, ExprKind, LocalId, PlaceKind, Type, TypeId};

use super::{Atom, Comparison, Node, Part, Sort, Sum, Template};
use crate::rows::{Row, Rows, Segment, Values, elements};
use crate::view::View;

/// No template has more instances than this in a loop.
const INSTANCES: usize = 200;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Meaning {
    /// A scalar.
    Scalar(Source),
    /// The row with this position.
    Row(usize),
    /// An array variable.
    Array(LocalId),
}

/// Adds all instances of templates.
pub(super) fn propose(view: &View<'_>, templates: &[Template], out: &mut Vec<Formula>) {
    let rows = Rows::new(view);
    let function = &view.head.program.functions[view.head.function].name;
    for template in templates.iter().filter(|template| template.function.as_ref().is_none_or(|name| name == function)) {
        let choices: Vec<Vec<Meaning>> = template.variables.iter().map(|(sort, _)| choices(&rows, *sort)).collect();
        let mut wheel = vec![0; choices.len()];
        if choices.iter().any(Vec::is_empty) {
            continue;
        }
        for _ in 0..INSTANCES {
            let bound: Vec<(&str, Meaning)> = template
                .variables
                .iter()
                .zip(&choices)
                .zip(&wheel)
                .map(|(((_, name), choices), at)| (name.as_str(), choices[*at]))
                .collect();
            let instance = Instance { rows: &rows, bound: &bound };
            if instance.belongs_together() {
                // Parts that hold are worth having even where others do not.
                match instance.formula(&template.formula) {
                    Some(Formula::All(parts)) => out.extend(parts),
                    other => out.extend(other),
                }
            }
            if !turn(&mut wheel, &choices) {
                break;
            }
        }
    }
}

/// The next combination; whether there is one.
fn turn(wheel: &mut [usize], choices: &[Vec<Meaning>]) -> bool {
    for (at, choices) in wheel.iter_mut().zip(choices) {
        *at += 1;
        if *at < choices.len() {
            return true;
        }
        *at = 0;
    }
    false
}

fn choices(rows: &Rows<'_>, sort: Sort) -> Vec<Meaning> {
    let variables = rows.view.variables.iter();
    match sort {
        Sort::Index => {
            variables.filter(|variable| variable.is_integer() && variable.index).map(|variable| Meaning::Scalar(variable.source)).collect()
        }
        Sort::Integer => variables.filter(|variable| variable.is_integer()).map(|variable| Meaning::Scalar(variable.source)).collect(),
        Sort::Pointer => variables.filter(|variable| variable.is_pointer()).map(|variable| Meaning::Scalar(variable.source)).collect(),
        Sort::Buffer => (0..rows.rows.len()).map(Meaning::Row).collect(),
        Sort::Text => (0..rows.rows.len()).filter(|row| rows.rows[*row].is_text()).map(Meaning::Row).collect(),
    }
}

/// A template with meanings for its variables.
struct Instance<'i, 'v> {
    rows: &'i Rows<'v>,
    bound: &'i [(&'i str, Meaning)],
}

/// A sum over numbers and pointers.
#[derive(Default)]
struct Total {
    /// Values, and offsets and sizes in bytes.
    numbers: Linear,
    /// What counts in elements of so many bytes, as bytes.
    scaled: Option<(u64, Linear)>,
    /// Pointers that are compared.
    pointers: Vec<(i64, Source, Moment)>,
    /// Lengths of strings.
    strings: Vec<(i64, usize, Moment)>,
    null: bool,
}

impl Instance<'_, '_> {
    /// An index and a buffer are combined only where the loop combines them (§6.2 of the paper).
    fn belongs_together(&self) -> bool {
        let indices = self.bound.iter().filter_map(|(_, meaning)| match meaning {
            Meaning::Scalar(source) => self.rows.view.variable(*source).filter(|variable| variable.is_integer()),
            _ => None,
        });
        let rows: Vec<&Row> = self.bound.iter().filter_map(|(_, meaning)| self.row_of(*meaning)).collect();
        let used = |row: &Row, source: Source| {
            let parts = row.indices.iter().flat_map(|index| &index.parts);
            parts.into_iter().any(|(_, quantity)| matches!(quantity, Quantity::Of(part, ..) if *part == source))
        };
        indices.into_iter().all(|index| rows.is_empty() || rows.iter().any(|row| used(row, index.source)))
    }

    fn row_of(&self, meaning: Meaning) -> Option<&Row> {
        match meaning {
            Meaning::Row(position) => self.rows.rows.get(position),
            _ => None,
        }
    }

    fn formula(&self, node: &Node) -> Option<Formula> {
        match node {
            Node::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            Node::Valid(pointer) => match self.pointer(pointer)? {
                (source, Moment::Now) => Some(Formula::Alive(source)),
                _ => None,
            },
            Node::Null(pointer) => match self.pointer(pointer)? {
                (source, Moment::Now) => Some(Formula::Null(source)),
                _ => None,
            },
            Node::SameObject(a, b) => Some(Formula::SameObject(self.pointer(a)?, self.pointer(b)?)),
            Node::Terminated(name) => {
                let row = self.row(name)?;
                Some(Formula::Terminated(elements(&self.rows.rows[row], Moment::Now, Moment::Now)))
            }
            // The parser bounds the depth.
            Node::Not(inner) => Some(self.formula(inner)?.negation()),
            Node::All(parts) => Some(Formula::All(parts.iter().map(|part| self.formula(part)).collect::<Option<_>>()?)),
            Node::Any(parts) => Some(Formula::Any(parts.iter().map(|part| self.formula(part)).collect::<Option<_>>()?)),
        }
    }

    fn compare(&self, comparison: Comparison, left: &Sum, right: &Sum) -> Option<Formula> {
        let total = self.total(&left.clone().plus(-1, right)?)?;
        let shift = i128::from(comparison == Comparison::Below);
        let relation = match comparison {
            Comparison::Equal => Relation::Equal,
            Comparison::Different => Relation::Different,
            Comparison::AtMost | Comparison::Below => Relation::AtMost,
        };
        match (&total.pointers[..], &total.strings[..], &total.scaled) {
            ([], [], None) => Some(Formula::Compare(total.numbers.shifted(shift), relation)),
            ([], [], Some((size, scaled))) => {
                let sum = scaled.clone().plus(i64::try_from(*size).ok()?, &total.numbers.shifted(shift));
                Some(Formula::Compare(sum, relation))
            }
            ([], [string], None) => self.string(comparison, *string, &total.numbers),
            ([(_, pointer, Moment::Now)], [], None) if total.null && total.numbers == Linear::default() => match comparison {
                Comparison::Equal => Some(Formula::Null(*pointer)),
                Comparison::Different => Some(Formula::Null(*pointer).negation()),
                Comparison::AtMost | Comparison::Below => None,
            },
            ([_, _], [], None) if !total.null => self.pointers(comparison, &total, shift, relation),
            _ => None,
        }
    }

    /// Two pointers, how many elements apart.
    fn pointers(&self, comparison: Comparison, total: &Total, shift: i128, relation: Relation) -> Option<Formula> {
        let [(a, p, p_moment), (b, q, q_moment)] = total.pointers[..] else { return None };
        let (p_size, q_size) = (self.element_size(p)?, self.element_size(q)?);
        if a.checked_add(b) != Some(0) || p_size != q_size {
            return None;
        }
        if comparison == Comparison::Equal && total.numbers == Linear::default() && a.abs() == 1 {
            return Some(Formula::SamePointer((p, p_moment), (q, q_moment)));
        }
        let mut sum = Linear::default().plus(i64::try_from(p_size).ok()?, &total.numbers);
        for (factor, source, moment) in &total.pointers {
            sum = sum.plus(*factor, &Linear::of(Quantity::Of(*source, Aspect::Offset, *moment)));
        }
        let same = Formula::SameObject((p, p_moment), (q, q_moment));
        Some(match comparison {
            Comparison::Different => Formula::All(vec![same, Formula::Compare(sum, Relation::Equal)]).negation(),
            _ => Formula::All(vec![same, Formula::Compare(sum.shifted(shift), relation)]),
        })
    }

    /// A comparison of `factor * strlen(s) + rest` with 0.
    fn string(&self, comparison: Comparison, (factor, row, moment): (i64, usize, Moment), rest: &Linear) -> Option<Formula> {
        let row = &self.rows.rows[row];
        let place = elements(row, moment, moment);
        let segment = |first: Linear, count: Linear| Segment { elements: place, first, count };
        let passed = |count: Linear| Values::nonzero(row).within(&segment(Linear::default(), count));
        let zero = Values { low: 0, high: 0 };
        // The other side of the comparison.
        let other = match factor {
            1 => Linear::default().minus(rest),
            -1 => rest.clone(),
            _ => return None,
        };
        let here = || Formula::All(vec![passed(other.clone()), zero.within(&segment(other.clone(), Linear::constant(1)))]);
        Some(match (comparison, factor) {
            (Comparison::Equal, _) => here(),
            (Comparison::Different, _) => here().negation(),
            // No 0 is in front of it.
            (Comparison::AtMost, -1) => passed(other),
            (Comparison::Below, -1) => passed(other.shifted(1)),
            // A 0 is at it or in front of it.
            (Comparison::AtMost, _) => passed(other.shifted(1)).negation(),
            (Comparison::Below, _) => passed(other).negation(),
        })
    }

    fn total(&self, sum: &Sum) -> Option<Total> {
        let mut total = Total { numbers: Linear::constant(sum.constant), ..Total::default() };
        for (factor, atom) in &sum.parts {
            match atom {
                Atom::Iterations => total.numbers = total.numbers.plus(*factor, &Linear::of(Quantity::Iterations)),
                Atom::Null => total.null = true,
                Atom::Of(part, name, moment) => self.add(&mut total, *factor, *part, name, *moment)?,
            }
        }
        Some(total)
    }

    fn add(&self, total: &mut Total, factor: i64, part: Part, name: &str, moment: Moment) -> Option<()> {
        let number = match part {
            Part::Value => match self.scalar(name) {
                Some(source) if self.element_size(source).is_none() => Linear::of(Quantity::Of(source, Aspect::Value, moment)),
                Some(source) => {
                    total.pointers.push((factor, source, moment));
                    return Some(());
                }
                None => return None,
            },
            Part::Size => self.size(name, moment)?,
            Part::Offset => self.offset(name, moment)?,
            Part::StringLength => {
                total.strings.push((factor, self.row(name)?, moment));
                return Some(());
            }
            Part::Length => {
                let step = self.step(name)?;
                let rest = self.size(name, moment)?.minus(&self.offset(name, moment)?);
                let (known, scaled) = total.scaled.take().unwrap_or((step, Linear::default()));
                total.scaled = Some((known, scaled.plus(factor, &rest)));
                return (known == step).then_some(());
            }
        };
        total.numbers = std::mem::take(&mut total.numbers).plus(factor, &number);
        Some(())
    }

    fn meaning(&self, name: &str) -> Option<Meaning> {
        if let Some((_, meaning)) = self.bound.iter().find(|(bound, _)| *bound == name) {
            return Some(*meaning);
        }
        let head = self.rows.view.head;
        let is_it = |source: Source| match source {
            Source::Local(local) => head.body.locals[local].name == name,
            Source::Global(global) => head.program.globals[global].name.rsplit('.').next() == Some(name),
            Source::Expr(_) => false,
        };
        if let Some(variable) = self.rows.view.variables.iter().find(|variable| is_it(variable.source)) {
            return Some(Meaning::Scalar(variable.source));
        }
        let scalar = |ty: TypeId| matches!(head.program.types.get(ty), Type::Bool | Type::Int { .. } | Type::Pointer(_));
        let local = head.body.locals.enumerate().rev().find(|(_, local)| local.name == name);
        let global = || head.program.globals.enumerate().find(|(id, _)| is_it(Source::Global(*id)));
        match local {
            Some((id, local)) if scalar(local.ty) => Some(Meaning::Scalar(Source::Local(id))),
            Some((id, _)) => Some(Meaning::Array(id)),
            None => global().filter(|(_, global)| scalar(global.ty)).map(|(id, _)| Meaning::Scalar(Source::Global(id))),
        }
    }

    /// The scalar that a name stands for; arrays are the address of their first element.
    fn scalar(&self, name: &str) -> Option<Source> {
        match self.meaning(name)? {
            Meaning::Scalar(source) => Some(source),
            Meaning::Row(row) => self.rows.rows[row].pointer,
            Meaning::Array(local) => self.address(local).map(Source::Expr),
        }
    }
    /// An expression of the function that is the address of an array's first element.
    fn address(&self, local: LocalId) -> Option<ExprId> {
        let body = self.rows.view.head.body;
        let is_start = |kind: &ExprKind| {
            let ExprKind::AddressOf(place) = *kind else { return false };
            let PlaceKind::Index(array, index) = body.places[place].kind else { return false };
            body.places[array].kind == PlaceKind::Local(local) && body.exprs[index].kind == ExprKind::Int(0)
        };
        body.exprs.enumerate().find(|(_, expr)| is_start(&expr.kind)).map(|(id, _)| id)
    }

    fn pointer(&self, sum: &Sum) -> Option<(Source, Moment)> {
        match &sum.parts[..] {
            [(1, Atom::Of(Part::Value, name, moment))] if sum.constant == 0 => {
                let source = self.scalar(name)?;
                self.element_size(source).map(|_| (source, *moment))
            }
            _ => None,
        }
    }

    /// The bytes of what a pointer leads to; nothing for what is no pointer.
    fn element_size(&self, source: Source) -> Option<u64> {
        let head = self.rows.view.head;
        let ty = match source {
            Source::Local(local) => head.body.locals.get(local)?.ty,
            Source::Global(global) => head.program.globals.get(global)?.ty,
            Source::Expr(expr) => head.body.exprs.get(expr)?.ty,
        };
        self.rows.reader.element_size(ty)
    }

    /// The row of elements that a name stands for.
    fn row(&self, name: &str) -> Option<usize> {
        let body = self.rows.view.head.body;
        match self.meaning(name)? {
            Meaning::Row(row) => Some(row),
            Meaning::Scalar(source) => self.rows.rows.iter().position(|row| row.pointer == Some(source)),
            Meaning::Array(local) => self.rows.rows.iter().position(|row| match body.places[row.place].kind {
                PlaceKind::Index(array, _) => body.places[array].kind == PlaceKind::Local(local),
                _ => false,
            }),
        }
    }

    fn step(&self, name: &str) -> Option<u64> {
        match self.meaning(name)? {
            Meaning::Row(row) => Some(self.rows.rows[row].step),
            Meaning::Scalar(source) => self.element_size(source),
            Meaning::Array(local) => match self.rows.reader.program.types.get(self.rows.view.head.body.locals[local].ty) {
                Type::Array { elem, .. } => self.rows.reader.program.types.size_of(*elem),
                _ => None,
            },
        }
    }

    /// The bytes of the object that a name leads to.
    fn size(&self, name: &str, moment: Moment) -> Option<Linear> {
        let of = |source| Linear::of(Quantity::Of(source, Aspect::Size, moment));
        match self.meaning(name)? {
            Meaning::Scalar(source) => self.element_size(source).map(|_| of(source)),
            Meaning::Row(row) => {
                let row = &self.rows.rows[row];
                let length = || Some(Linear::constant(i128::from(row.length?.checked_mul(row.step)?)));
                row.pointer.map(of).or_else(length)
            }
            Meaning::Array(local) => {
                let ty = self.rows.view.head.body.locals[local].ty;
                Some(Linear::constant(i128::from(self.rows.reader.program.types.size_of(ty)?)))
            }
        }
    }

    /// The bytes in front of where a name leads.
    fn offset(&self, name: &str, moment: Moment) -> Option<Linear> {
        let of = |source| Linear::of(Quantity::Of(source, Aspect::Offset, moment));
        match self.meaning(name)? {
            Meaning::Scalar(source) => self.element_size(source).map(|_| of(source)),
            Meaning::Row(row) => Some(self.rows.rows[row].pointer.map_or_else(Linear::default, of)),
            Meaning::Array(_) => Some(Linear::default()),
        }
    }
}
