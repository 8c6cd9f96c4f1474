//! Which part of a row was visited, and which was not yet.

use encode::{Aspect, Elements, Linear, Moment, Quantity, Source};
use model::{ExprKind, PlaceId, PlaceKind};

use super::{Row, Rows, note};

/// Some elements in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) elements: Elements,
    /// The index of the first.
    pub(crate) first: Linear,
    /// How many.
    pub(crate) count: Linear,
}

/// Which way an index goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
    Both,
}

impl Way {
    fn of(steps: Option<Vec<i128>>, factor: i64) -> Self {
        let Some(steps) = steps else { return Way::Both };
        let sign = |step: &i128| step.signum() * i128::from(factor.signum());
        if steps.iter().all(|step| sign(step) > 0) {
            Way::Up
        } else if steps.iter().all(|step| sign(step) < 0) {
            Way::Down
        } else {
            Way::Both
        }
    }
}

/// An index that the loop moves.
struct Course {
    way: Way,
    /// The index now.
    now: Linear,
    /// The index when the loop was entered.
    before: Linear,
}

impl Rows<'_> {
    /// The parts of a row that the loop has visited when it comes to the head with this index.
    pub(crate) fn visited(&self, row: &Row, index: &Linear) -> Vec<Segment> {
        if row.moves {
            return self.walked(row, index);
        }
        let elements = elements(row, Moment::Now, Moment::Now);
        let mut segments = Vec::new();
        let mut add = |first: &Linear, end: &Linear| {
            let segment = Segment { elements, first: first.clone(), count: end.clone().minus(first) };
            note(&mut segments, segment, 6);
        };
        let zero = Linear::default();
        let Some(Course { way, now, before }) = self.course(index) else {
            // Where the index stays, what is in front of it may be what matters.
            if !index.parts.is_empty() && row.written {
                add(&zero, index);
            }
            return segments;
        };
        if way != Way::Down {
            add(&before, &now);
            add(&zero, &now);
            if index.parts.iter().any(|(_, quantity)| matches!(quantity, Quantity::Of(part, ..) if self.moves_early(*part))) {
                add(&before.clone().shifted(1), &now.clone().shifted(1));
            }
        }
        if way != Way::Up {
            let next = now.shifted(1);
            add(&next, &before.clone().shifted(1));
            if let Some(length) = row.length {
                add(&next, &Linear::constant(i128::from(length)));
            }
        }
        segments
    }

    /// What a moving pointer has left behind.
    fn walked(&self, row: &Row, index: &Linear) -> Vec<Segment> {
        let Some(pointer) = row.pointer.filter(|_| index.parts.is_empty()) else { return Vec::new() };
        let way = Way::of(self.view.variable(pointer).and_then(|variable| variable.steps()), 1);
        let mut segments = Vec::new();
        if way != Way::Down
            && let Some(count) = self.distance(row, pointer)
        {
            let elements = elements(row, Moment::Entry, Moment::Now);
            if self.moves_early(pointer) && self.is_direct(row.place, pointer) {
                segments.push(Segment { elements, first: index.clone().shifted(1), count: count.clone() });
            }
            segments.push(Segment { elements, first: index.clone(), count });
        }
        if way != Way::Up
            && let Some(count) = self.distance(row, pointer)
        {
            let elements = elements(row, Moment::Now, Moment::Now);
            segments.push(Segment { elements, first: index.clone().shifted(1), count: Linear::default().minus(&count) });
        }
        segments
    }

    /// By how many elements a pointer has moved since the entry.
    fn distance(&self, row: &Row, pointer: Source) -> Option<Linear> {
        let offset = Quantity::Of(pointer, Aspect::Offset, Moment::Now);
        if row.step == 1 {
            return Some(Linear::of(offset).minus(&Linear::of(offset.before())));
        }
        // A distance in bytes cannot be divided, but iterations can be counted.
        let step = self.view.variable(pointer)?.step?;
        let step = i64::try_from(step).ok()?.checked_div_euclid(i64::try_from(row.step).ok()?)?;
        Some(Linear::default().plus(step, &Linear::of(Quantity::Iterations)))
    }

    /// The parts of a row that the loop has still to visit when it comes to the head with this index.
    pub(crate) fn unvisited(&self, row: &Row, index: &Linear) -> Vec<Segment> {
        let elements = elements(row, Moment::Now, Moment::Now);
        let end = self.end(row);
        let mut segments = Vec::new();
        let mut add = |first: &Linear, end: &Linear| {
            let segment = Segment { elements, first: first.clone(), count: end.clone().minus(first) };
            note(&mut segments, segment, 6);
        };
        let zero = Linear::default();
        if row.moves {
            if let Some(end) = end.filter(|_| index.parts.is_empty()) {
                add(index, &end);
            }
            return segments;
        }
        let Some(Course { way, now, before }) = self.course(index) else { return segments };
        if way != Way::Down {
            if let Some(end) = &end {
                add(&now, end);
            }
            if before != zero {
                add(&zero, &before);
            }
        }
        if way != Way::Up {
            add(&zero, &now.shifted(1));
            if let Some(end) = &end {
                add(&before.shifted(1), end);
            }
        }
        segments
    }

    /// All elements of an array.
    pub(crate) fn whole(&self, row: &Row) -> Option<Segment> {
        let elements = elements(row, Moment::Now, Moment::Now);
        Some(Segment { elements, first: Linear::default(), count: Linear::constant(i128::from(row.length?)) })
    }

    /// An index behind the last element. For wide elements behind a pointer it is larger than needed, in which case there is nothing that could change.
    fn end(&self, row: &Row) -> Option<Linear> {
        match (row.length, row.pointer) {
            (Some(length), _) => Some(Linear::constant(i128::from(length))),
            (None, Some(pointer)) => {
                let size = Linear::of(Quantity::Of(pointer, Aspect::Size, Moment::Now));
                let offset = Linear::of(Quantity::Of(pointer, Aspect::Offset, Moment::Now));
                Some(if row.step == 1 { size.minus(&offset) } else { size })
            }
            (None, None) => None,
        }
    }

    /// How an index moves, if one variable moves it.
    fn course(&self, index: &Linear) -> Option<Course> {
        let mut moving = None;
        let mut before = Linear::constant(index.constant);
        for &(factor, quantity) in &index.parts {
            let Quantity::Of(source, ..) = quantity else { return None };
            let variable = self.view.variable(source).filter(|variable| variable.changed);
            match variable {
                None => before = before.plus(factor, &Linear::of(quantity)),
                Some(variable) => {
                    if moving.replace(Way::of(variable.steps(), factor)).is_some() || !matches!(factor, 1 | -1) {
                        return None;
                    }
                    let was = variable.entry.map_or_else(|| Linear::of(quantity.before()), Linear::constant);
                    before = before.plus(factor, &was);
                }
            }
        }
        Some(Course { way: moving?, now: index.clone(), before })
    }

    /// Whether the loop moves an index or pointer as soon as it begins, so that what it has accessed ends behind it.
    fn moves_early(&self, source: Source) -> bool {
        let head = self.view.head;
        let mut written = head.body.blocks[head.region.header].commands.iter().filter_map(|command| command.kind.place());
        written.any(|place| self.reader.source(place) == Some(source))
    }
    /// Whether an element is reached through a pointer itself and not through a copy, which may be older.
    fn is_direct(&self, place: PlaceId, pointer: Source) -> bool {
        let body = self.reader.body;
        let PlaceKind::Deref(at) = body.places[place].kind else { return false };
        matches!(body.exprs[at].kind, ExprKind::Load(loaded) if self.reader.source(loaded) == Some(pointer))
    }
}

/// The elements of a row.
pub(crate) fn elements(row: &Row, base: Moment, content: Moment) -> Elements {
    Elements { place: Some(row.place), pointer: row.pointer, base, content }
}
