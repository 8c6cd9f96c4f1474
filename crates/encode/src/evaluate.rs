//! What formulas mean: terms over two states.

use logic::{Sort, Term};
use model::{ExprKind, FunctionId, GlobalId, LocalId, PlaceId, PlaceKind, Type, TypeId};
use pointers::{Cell, Offsets, RegionId, Target};

use crate::access::Cells;
use crate::encoder::{Encoder, Info};
use crate::formula::{Aspect, Elements, Formula, Linear, Moment, Quantity, Relation, Source};
use crate::place::{Base, Location};
use crate::scalar::{self, OFFSET, POINTER, Pointer, Scalar};
use crate::state::{Content, Part, Slot, State, Value};
use crate::sums::{Sum, Summand};

/// The elements of longer arrays are not added up.
const TOTAL: u64 = 16;

/// The states that a formula speaks of.
pub(crate) struct Moments<'a> {
    pub(crate) entry: &'a State,
    pub(crate) now: &'a State,
    /// How many iterations there were, 64 bits wide.
    pub(crate) iterations: Term,
    /// The number that a call returns, and whether it is signed.
    pub(crate) result: Option<(Term, bool)>,
}

impl Moments<'_> {
    fn at(&self, moment: Moment) -> &State {
        match moment {
            Moment::Now => self.now,
            Moment::Entry => self.entry,
        }
    }
}

/// What is in a row.
struct Element {
    ty: TypeId,
    /// The bytes from one to the next.
    step: u64,
    /// How many bytes behind the beginning of what is repeated each is.
    shift: u64,
}

/// Cells in a row: an array term, the index of the cell with number 0, the distance of neighbours.
struct Row {
    array: Term,
    /// The same, with ones for the bits that hold a value, where that is kept.
    shadow: Option<Term>,
    at: Term,
    step: u64,
    /// Where its object ends: an offset.
    end: Term,
    width: u32,
}

/// Elements of a row that follow each other.
struct Segment {
    /// That there are none.
    none: Term,
    from: Term,
    end: Term,
}

impl<'p> Encoder<'p> {
    /// A formula as a term; `None` if it cannot be said of these states.
    pub(crate) fn formula(&mut self, info: &Info<'p>, moments: &Moments<'_>, formula: &Formula) -> Option<Term> {
        self.running(info, moments.now, |encoder| encoder.own_formula(info, moments, formula))
    }

    /// What is found while a function runs. Places are those of the function that runs: of a function that is about to be called, or has returned, they
    /// mean nothing elsewhere.
    pub(crate) fn running<T>(&mut self, info: &Info<'p>, state: &State, look: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.current() == info.id {
            return look(self);
        }
        let own = self.info(info.id)?;
        self.begin_call(&own, Vec::new(), state.guard);
        let found = look(self);
        self.frames.pop();
        found
    }

    /// A formula about the function that runs.
    fn own_formula(&mut self, info: &Info<'p>, moments: &Moments<'_>, formula: &Formula) -> Option<Term> {
        Some(match formula {
            Formula::Compare(sum, relation) => self.comparison(info, moments, sum, *relation)?,
            Formula::Modular(sum, width) => {
                let sum = self.modular(info, moments, sum, (*width).clamp(1, 64))?;
                self.terms.vanishes(sum)
            }
            Formula::Multiple(sum, modulus) => {
                let sum = self.linear(info, moments, sum)?;
                let width = self.terms.width(sum).max(u64::BITS - modulus.leading_zeros() + 1);
                let sum = self.terms.sign_extend(sum, width);
                let (modulus, zero) = (self.terms.number(width, u128::from(*modulus)), self.terms.zero(width));
                let rest = self.terms.srem(sum, modulus);
                self.terms.equal(rest, zero)
            }
            Formula::Holds(expr) => {
                let Scalar::Term(term) = self.source_scalar(info, moments.now, Source::Expr(*expr))?.0 else { return None };
                match self.terms.sort(term) {
                    Sort::Bool => term,
                    Sort::Bits(_) => self.terms.nonzero(term),
                    _ => return None,
                }
            }
            Formula::Null(source) => {
                let pointer = self.source_pointer(info, moments.now, *source)?;
                let zero = self.terms.zero(OFFSET);
                let null = Pointer::nowhere(&mut self.terms, zero);
                pointer.equal(&mut self.terms, null)
            }
            Formula::SameObject(a, b) => {
                let a = self.source_pointer(info, moments.at(a.1), a.0)?;
                let b = self.source_pointer(info, moments.at(b.1), b.0)?;
                self.terms.equal(a.object, b.object)
            }
            Formula::SamePointer(a, b) => {
                let a = self.source_pointer(info, moments.at(a.1), a.0)?;
                let b = self.source_pointer(info, moments.at(b.1), b.0)?;
                a.equal(&mut self.terms, b)
            }
            Formula::Alive(source) => {
                let pointer = self.source_pointer(info, moments.now, *source)?;
                self.alive(moments.now, pointer)
            }
            Formula::Range { elements, first, count, low, high } => {
                let row = self.row(info, moments, *elements)?;
                let Segment { none, from, end } = self.segment(info, moments, &row, first, count)?;
                let (low, high) = (self.terms.number(row.width, *low), self.terms.number(row.width, *high));
                let within = self.terms.within(row.array, from, end, row.step, low, high);
                self.terms.or(none, within)
            }
            Formula::Initialised { elements, first, count } => {
                let row = self.row(info, moments, *elements)?;
                let shadow = row.shadow?;
                let Segment { none, from, end } = self.segment(info, moments, &row, first, count)?;
                let Sort::Array { element, .. } = self.terms.sort(shadow) else { return None };
                let all = self.terms.ones(element);
                let within = self.terms.within(shadow, from, end, row.step, all, all);
                self.terms.or(none, within)
            }
            Formula::Terminated(elements) => {
                let row = self.row(info, moments, *elements)?;
                let (low, high) = (self.terms.one(row.width), self.terms.ones(row.width));
                let none = self.terms.within(row.array, row.at, row.end, row.step, low, high);
                self.terms.not(none)
            }
            Formula::Linked(links) => self.linked(moments.now, *links)?,
            Formula::Each(each) => self.each(moments.now, each)?,
            Formula::Agree { elements, first, others, other_first, count } => {
                let (row, other) = (self.row(info, moments, *elements)?, self.row(info, moments, *others)?);
                if row.step != other.step || row.width != other.width {
                    return None;
                }
                let Segment { none, from, end } = self.segment(info, moments, &row, first, count)?;
                let other_from = self.element_index(info, moments, &other, other_first)?;
                let agree = self.terms.agree(row.array, from, other.array, other_from, end, row.step);
                self.terms.or(none, agree)
            }
            Formula::Not(inner) => {
                let inner = self.own_formula(info, moments, inner)?;
                self.terms.not(inner)
            }
            Formula::All(parts) => {
                let parts = self.formulas(info, moments, parts)?;
                self.terms.all(parts)
            }
            Formula::Any(parts) => {
                let parts = self.formulas(info, moments, parts)?;
                self.terms.any(parts)
            }
        })
    }

    fn formulas(&mut self, info: &Info<'p>, moments: &Moments<'_>, parts: &[Formula]) -> Option<Vec<Term>> {
        parts.iter().map(|part| self.own_formula(info, moments, part)).collect()
    }

    /// A scalar and its type. Looking at a state changes nothing: what could is not looked at.
    fn source_scalar(&mut self, info: &Info<'p>, state: &State, source: Source) -> Option<(Scalar, TypeId)> {
        let types = &self.program.types;
        match source {
            Source::Local(local) => {
                let ty = info.body.locals.get(local)?.ty;
                if !types.is_scalar(ty) {
                    return None;
                }
                match state.slots.get(local.index())? {
                    Slot::Private(Value::Scalar(scalar), _) => Some((*scalar, ty)),
                    Slot::Memory(object) => {
                        let pointer = Pointer { object: *object, offset: self.terms.zero(OFFSET) };
                        let place = crate::place::Held::Variable(pointers::Object::Local(info.id, local));
                        let location = Location { base: Base::Memory(pointer), ty, bit: None, place };
                        Some((self.load(state, &location), ty))
                    }
                    _ => None,
                }
            }
            Source::Global(global) => {
                let ty = self.program.globals.get(global)?.ty;
                if !types.is_scalar(ty) {
                    return None;
                }
                let object = self.global_object(global);
                let pointer = Pointer::to(&mut self.terms, object);
                let place = crate::place::Held::Variable(pointers::Object::Global(global));
                let location = Location { base: Base::Memory(pointer), ty, bit: None, place };
                Some((self.load(state, &location), ty))
            }
            Source::Expr(expr) => {
                let ty = info.body.exprs.get(expr)?.ty;
                if !types.is_scalar(ty) {
                    return None;
                }
                let scalar = self.looking(state, |encoder, state| encoder.scalar(state, info, expr))?;
                Some((scalar, ty))
            }
        }
    }

    /// What an evaluation gives that leaves no trace; `None` if it would.
    pub(crate) fn looking<T>(&mut self, state: &State, look: impl FnOnce(&mut Self, &mut State) -> T) -> Option<T> {
        let mut copy = state.clone();
        let (gaps, cuts, inputs) = (self.gaps.len(), self.cuts.len(), self.inputs.len());
        let found = look(self, &mut copy);
        let untouched = copy.guard == state.guard && self.gaps.len() == gaps && self.inputs.len() == inputs;
        self.gaps.truncate(gaps);
        self.cuts.truncate(cuts);
        self.inputs.truncate(inputs);
        untouched.then_some(found)
    }

    fn source_pointer(&mut self, info: &Info<'p>, state: &State, source: Source) -> Option<Pointer> {
        match self.source_scalar(info, state, source)?.0 {
            Scalar::Pointer(pointer) => Some(pointer),
            Scalar::Term(_) => None,
        }
    }

    /// A number, and whether it is signed.
    fn quantity(&mut self, info: &Info<'p>, moments: &Moments<'_>, quantity: Quantity) -> Option<(Term, bool)> {
        let (source, aspect, moment) = match quantity {
            Quantity::Of(source, aspect, moment) => (source, aspect, moment),
            Quantity::Iterations => return Some((moments.iterations, false)),
            Quantity::Result => return moments.result,
        };
        let state = moments.at(moment);
        match aspect {
            Aspect::Value => {
                let (scalar, ty) = self.source_scalar(info, state, source)?;
                let Scalar::Term(term) = scalar else { return None };
                match self.terms.sort(term) {
                    Sort::Bool => Some((self.terms.bit(term), false)),
                    Sort::Bits(_) => Some((term, self.program.types.is_signed(ty))),
                    Sort::Float(_) => Some((self.float_order(term), true)),
                    _ => None,
                }
            }
            Aspect::Total => self.total(info, moments, source, moment),
            Aspect::Offset => Some((self.source_pointer(info, state, source)?.offset, true)),
            Aspect::Length => {
                let pointer = self.source_pointer(info, state, source)?;
                Some((self.length(info, state, source, pointer)?, false))
            }
            Aspect::Size => {
                let object = self.source_pointer(info, state, source)?.object;
                Some((self.objects.size(&mut self.terms, object), false))
            }
        }
    }

    /// The sum of the elements of an array, of which one is read, so wide that it does not wrap.
    fn total(&mut self, info: &Info<'p>, moments: &Moments<'_>, source: Source, moment: Moment) -> Option<(Term, bool)> {
        let elements = self.summands(info, moments, source, moment)?;
        let zero = self.terms.zero(self.terms.width(*elements.first()?));
        Some((elements.into_iter().fold(zero, |sum, element| self.terms.add(sum, element)), true))
    }

    /// By how much the sum of the elements of an array decreases from the entry to now, as wide. Most elements stay, which is seen one by one.
    pub(crate) fn lost(&mut self, info: &Info<'p>, moments: &Moments<'_>, source: Source) -> Option<Term> {
        let [before, now] = [Moment::Entry, Moment::Now].map(|moment| self.summands(info, moments, source, moment));
        let (before, now) = (before?, now?);
        let mut sum = self.terms.zero(self.terms.width(*before.first()?));
        for (before, now) in before.into_iter().zip(now) {
            let lost = self.terms.sub(before, now);
            sum = self.terms.add(sum, lost);
        }
        Some(sum)
    }

    /// The elements of an array, of which one is read, so wide that their sum does not wrap.
    fn summands(&mut self, info: &Info<'p>, moments: &Moments<'_>, source: Source, moment: Moment) -> Option<Vec<Term>> {
        let Source::Expr(expr) = source else { return None };
        let ExprKind::Load(place) = info.body.exprs.get(expr)?.kind else { return None };
        let PlaceKind::Index(base, _) = info.body.places.get(place)?.kind else { return None };
        let types = &self.program.types;
        let (&Type::Array { len: Some(count), .. }, &Type::Int { bits, signed }) =
            (types.get(info.body.places.get(base)?.ty), types.get(info.body.places[place].ty))
        else {
            return None;
        };
        let row = self.row(info, moments, Elements { place: Some(place), pointer: None, base: moment, content: moment })?;
        if count > TOTAL || row.width != u32::from(bits) {
            return None;
        }
        let width = row.width + u64::BITS - TOTAL.leading_zeros() + 1;
        let element = |number: u64| {
            let at = self.element_index(info, moments, &row, &Linear::constant(number.into()))?;
            let element = self.terms.select(row.array, at);
            Some(self.terms.resize(element, width, signed))
        };
        (0..count).map(element).collect()
    }

    /// A number that orders floats as their values do: how many floats there are between 0 and it. (Both zeros are 0, and what is no number has one, too.)
    fn float_order(&mut self, float: Term) -> Term {
        let bits = self.terms.float_to_bits(float);
        let width = self.terms.width(bits);
        let magnitude = self.terms.extract(bits, width - 2, 0);
        let magnitude = self.terms.zero_extend(magnitude, width + 1);
        let negative = self.terms.test_bit(bits, width - 1);
        let below = self.terms.neg(magnitude);
        self.terms.ite(negative, below, magnitude)
    }

    /// How a sum compares with 0.
    fn comparison(&mut self, info: &Info<'p>, moments: &Moments<'_>, sum: &Linear, relation: Relation) -> Option<Term> {
        let sum = Sum { parts: self.exact_parts(info, moments, sum)?, constant: sum.constant };
        sum.settled(&mut self.terms, relation)
    }

    /// An exact sum: wide enough that nothing wraps.
    pub(crate) fn linear(&mut self, info: &Info<'p>, moments: &Moments<'_>, sum: &Linear) -> Option<Term> {
        let sum = Sum { parts: self.exact_parts(info, moments, sum)?, constant: sum.constant };
        sum.exact(&mut self.terms)
    }

    /// What a sum is made of.
    fn exact_parts(&mut self, info: &Info<'p>, moments: &Moments<'_>, sum: &Linear) -> Option<Vec<Summand>> {
        let mut parts = Vec::new();
        for &(factor, quantity) in &sum.parts {
            let (term, signed) = self.quantity(info, moments, quantity)?;
            parts.push(Summand { factor, term, signed });
        }
        Some(parts)
    }

    /// A sum modulo a power of two.
    fn modular(&mut self, info: &Info<'p>, moments: &Moments<'_>, sum: &Linear, width: u32) -> Option<Term> {
        let mut total = self.terms.bits(logic::Bits::signed(128, sum.constant).extract(width - 1, 0));
        for &(factor, quantity) in &sum.parts {
            let (term, signed) = self.quantity(info, moments, quantity)?;
            let term = self.terms.resize(term, width, signed);
            let factor = self.terms.bits(logic::Bits::signed(64, i128::from(factor)).extract(width - 1, 0));
            let product = self.terms.mul(term, factor);
            total = self.terms.add(total, product);
        }
        Some(total)
    }

    /// Elements in memory or in a variable.
    fn row(&mut self, info: &Info<'p>, moments: &Moments<'_>, elements: Elements) -> Option<Row> {
        let element = self.element(info, elements)?;
        let content = moments.at(elements.content);
        match self.element_base(info, moments.at(elements.base), elements)? {
            Base::Memory(pointer) => {
                let region = match elements.place {
                    Some(place) => self.region_of(info.id, place).or_else(|| self.touched_region(info.id, place))?,
                    None => self.pointed_region(info.id, elements.pointer?)?,
                };
                self.memory_row(content, region, pointer, &element)
            }
            Base::Private { local, path, offset } => self.private_row(info, content, local, path, offset, &element),
        }
    }

    /// What elements are; pointers are not looked at.
    fn element(&self, info: &Info<'p>, elements: Elements) -> Option<Element> {
        let types = &self.program.types;
        let (ty, whole, shift) = match elements.place {
            Some(place) => {
                let (root, shift) = self.element_root(info, place)?;
                (info.body.places[place].ty, info.body.places[root].ty, shift)
            }
            None => {
                let pointer = match elements.pointer? {
                    Source::Local(local) => info.body.locals.get(local)?.ty,
                    Source::Global(global) => self.program.globals.get(global)?.ty,
                    Source::Expr(expr) => info.body.exprs.get(expr)?.ty,
                };
                let (Type::Pointer(to) | Type::Array { elem: to, .. }) = types.get(pointer) else { return None };
                (*to, *to, 0)
            }
        };
        if !types.is_scalar(ty) || matches!(types.get(ty), Type::Pointer(_)) {
            return None;
        }
        Some(Element { ty, step: types.size_of(whole).filter(|size| *size > 0)?, shift })
    }

    /// What elements are counted from.
    fn element_base(&mut self, info: &Info<'p>, state: &State, elements: Elements) -> Option<Base> {
        match elements.pointer {
            Some(Source::Global(global)) if self.is_array(global) => {
                let object = self.global_object(global);
                return Some(Base::Memory(Pointer::to(&mut self.terms, object)));
            }
            Some(pointer) => return Some(Base::Memory(self.source_pointer(info, state, pointer)?)),
            None => {}
        }
        let (root, _) = self.element_root(info, elements.place?)?;
        match info.body.places[root].kind {
            PlaceKind::Index(array, _) => Some(self.looking(state, |encoder, state| encoder.locate(state, info, array))?.base),
            PlaceKind::Deref(pointer) => {
                let pointer = Source::Expr(walked(info, pointer));
                Some(Base::Memory(self.source_pointer(info, state, pointer)?))
            }
            _ => None,
        }
    }

    fn is_array(&self, global: GlobalId) -> bool {
        self.program.globals.get(global).is_some_and(|global| matches!(self.program.types.get(global.ty), Type::Array { .. }))
    }

    /// The region around a place that the program only points to, if it is one: it accesses neighbours.
    fn touched_region(&self, function: FunctionId, place: PlaceId) -> Option<RegionId> {
        match self.regions.touched(&self.analysis.accessed(function, place))[..] {
            [region] => Some(region),
            _ => None,
        }
    }

    /// The region that holds all that a pointer may lead to, if it is one.
    fn pointed_region(&self, function: FunctionId, pointer: Source) -> Option<RegionId> {
        let targets = match pointer {
            Source::Global(global) if self.is_array(global) => {
                vec![Target { object: pointers::Object::Global(global), offsets: Offsets::ZERO }]
            }
            Source::Local(local) => self.analysis.variable(function, local),
            Source::Expr(expr) => self.analysis.targets(function, expr),
            Source::Global(global) => {
                self.analysis.contents(pointers::Object::Global(global)).into_iter().flat_map(|(_, targets)| targets).collect()
            }
        };
        let cell = |target: &Target| Cell { object: target.object, offsets: target.offsets, size: Cell::REST };
        match self.regions.touched(&targets.iter().map(cell).collect::<Vec<_>>())[..] {
            [region] => Some(region),
            _ => None,
        }
    }

    fn memory_row(&mut self, content: &State, region: RegionId, pointer: Pointer, element: &Element) -> Option<Row> {
        let Element { ty, step, shift } = *element;
        let width = match self.cells(region) {
            Cells::Whole { width } if width == scalar::cell_width(&self.program.types, ty) => width,
            cells @ (Cells::Bytes | Cells::MixedBytes) if self.program.types.size_of(ty) == Some(1) => cells.width(),
            _ => return None,
        };
        let end = self.objects.size(&mut self.terms, pointer.object);
        let shift = self.terms.number(OFFSET, u128::from(shift));
        let offset = self.terms.add(pointer.offset, shift);
        let at = Pointer { object: pointer.object, offset }.packed(&mut self.terms);
        let shadow = content.written.get(region.index()).copied();
        Some(Row { array: content.regions[region.index()], shadow, at, step, end, width })
    }

    fn private_row(&mut self, info: &Info<'p>, content: &State, local: LocalId, path: u64, offset: Term, element: &Element) -> Option<Row> {
        let Element { ty, step, shift } = *element;
        let local_ty = info.body.locals.get(local)?.ty;
        let Slot::Private(value, _) = &content.slots[local.index()] else { return None };
        let size = self.program.types.size_of(local_ty)?;
        let (Content { array, shadow }, width) = match value {
            Value::Bytes(content) if self.program.types.size_of(ty) == Some(1) => (*content, self.byte_cells().width()),
            Value::Parts(parts) => {
                let part = self.shapes.of(&self.program.types, local_ty).find(path + shift, None, ty)?;
                let Part::Array(content) = parts.get(part)? else { return None };
                (*content, scalar::cell_width(&self.program.types, ty))
            }
            _ => return None,
        };
        let shift = self.terms.number(OFFSET, u128::from(shift));
        let offset = self.terms.add(offset, shift);
        let at = self.terms.zero_extend(offset, POINTER);
        let end = self.terms.number(OFFSET, u128::from(size));
        Some(Row { array, shadow, at, step, end, width })
    }

    /// The `Index` or `Deref` place that a scalar is in, and how many bytes behind its beginning the scalar is.
    fn element_root(&self, info: &Info<'p>, place: PlaceId) -> Option<(PlaceId, u64)> {
        let (mut root, mut shift) = (place, 0);
        while let PlaceKind::Field(base, _) = info.body.places[root].kind {
            let field = info.body.field(&self.program.types, root).filter(|field| field.bit.is_none())?;
            shift += field.offset;
            root = base;
        }
        Some((root, shift))
    }

    /// The segment of so many elements from the one with some number on. It ends where the element behind the last would be: a segment that ends at an
    /// access ends at the same term.
    fn segment(&mut self, info: &Info<'p>, moments: &Moments<'_>, row: &Row, first: &Linear, count: &Linear) -> Option<Segment> {
        let none = match (count.parts.as_slice(), count.constant) {
            ([], constant) => self.terms.bool(constant <= 0),
            (&[(1, quantity)], 0) => {
                let (number, signed) = self.quantity(info, moments, quantity)?;
                let zero = self.terms.zero(self.terms.width(number));
                if signed { self.terms.sle(number, zero) } else { self.terms.bool(false) }
            }
            _ => self.comparison(info, moments, count, Relation::AtMost)?,
        };
        let from = self.element_index(info, moments, row, first)?;
        let behind = self.element_index(info, moments, row, &first.clone().plus(1, count))?;
        Some(Segment { none, from, end: self.terms.extract(behind, OFFSET - 1, 0) })
    }

    /// Where the element with some number is.
    fn element_index(&mut self, info: &Info<'p>, moments: &Moments<'_>, row: &Row, number: &Linear) -> Option<Term> {
        let (number, signed) = match (number.parts.as_slice(), number.constant) {
            ([], 0) => return Some(row.at),
            (&[(1, quantity)], 0) => self.quantity(info, moments, quantity)?,
            _ => (self.linear(info, moments, number)?, true),
        };
        let (object, offset) = (self.terms.extract(row.at, POINTER - 1, OFFSET), self.terms.extract(row.at, OFFSET - 1, 0));
        let offset = scalar::moved(&mut self.terms, offset, number, signed, row.step);
        Some(Pointer { object, offset }.packed(&mut self.terms))
    }
}

/// The pointer that an element pointer is counted from: `p` in `p + i`.
fn walked(info: &Info<'_>, pointer: model::ExprId) -> model::ExprId {
    let mut at = pointer;
    loop {
        match info.body.exprs[at].kind {
            ExprKind::PointerAdd(base, _) => at = base,
            ExprKind::Cast(inner) if matches!(info.body.exprs[inner].kind, ExprKind::PointerAdd(..)) => at = inner,
            _ => return at,
        }
    }
}
