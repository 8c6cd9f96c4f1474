//! Expressions as sums over the scalars of a loop's head.
//!
//! Conversions are taken for value-preserving, nothing wraps, and a variable that is dead at the head is replaced by its only definition: good
//! enough for guesses.

use encode::{Aspect, Linear, Moment, Quantity, Source};
use model::{
    BinaryOp, BlockId, Body, CommandKind, ExprId, ExprKind, GlobalId, LocalId, PlaceId, PlaceKind, Program, Query, Type, TypeId, Types,
    UnaryOp,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::mine::commands;
use super::twins::Twins;

/// How deep sums and definitions are followed.
const DEPTH: u32 = 12;

/// Reads expressions of a body.
pub struct Reader<'a> {
    /// The program.
    pub program: &'a Program,
    /// The body.
    pub body: &'a Body,
    /// What is written several times.
    pub twins: Twins,
    /// For each local, whether it can be spoken of; nothing for a body that the loop only calls: then only globals can.
    visible: Option<FxHashSet<LocalId>>,
    /// The values of variables that cannot be spoken of and are assigned once.
    definitions: FxHashMap<LocalId, ExprId>,
    /// Values of variables that stay constant.
    known: FxHashMap<Source, i128>,
}

/// What a pointer's bytes are counted from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Buffer {
    /// An array of so many elements.
    Array(u64),
    /// What a pointer points to.
    Pointer(Source),
}

impl<'a> Reader<'a> {
    /// A reader of these blocks of a body: of the loop's, in which some locals can be spoken of, or of another one.
    pub fn of_blocks(program: &'a Program, body: &'a Body, blocks: &[BlockId], visible: Option<FxHashSet<LocalId>>) -> Self {
        let twins = Twins::new(body, &commands(body, blocks, |_| true, true));
        let mut reader = Reader { program, body, twins, visible, definitions: FxHashMap::default(), known: FxHashMap::default() };
        reader.definitions = reader.hidden_definitions(blocks);
        reader
    }
    fn hidden_definitions(&self, blocks: &[BlockId]) -> FxHashMap<LocalId, ExprId> {
        let body = self.body;
        let mut definitions: FxHashMap<LocalId, Option<ExprId>> = FxHashMap::default();
        for kind in blocks.iter().flat_map(|block| &body.blocks[*block].commands).map(|command| &command.kind) {
            let Some(place) = kind.place() else { continue };
            let PlaceKind::Local(local) = body.places[place].kind else { continue };
            let value = match kind {
                CommandKind::Assign { src, .. } => Some(*src),
                _ => None,
            };
            definitions.entry(local).and_modify(|known| *known = None).or_insert(value);
        }
        definitions.retain(|local, _| !self.is_visible(*local));
        definitions.into_iter().filter_map(|(local, value)| Some((local, value?))).collect()
    }
    /// Makes variables known that have the same value all the time.
    pub fn know(&mut self, known: impl IntoIterator<Item = (Source, i128)>) {
        self.known.extend(known);
    }

    fn types(&self) -> &'a Types {
        &self.program.types
    }
    /// The bytes that a pointer of this type moves when it moves by one.
    pub fn element_size(&self, pointer: TypeId) -> Option<u64> {
        match self.types().get(pointer) {
            Type::Pointer(to) => Some(self.types().size_of(*to).unwrap_or(1)),
            _ => None,
        }
    }
    /// Whether a local can be spoken of.
    pub fn is_visible(&self, local: LocalId) -> bool {
        self.visible.as_ref().is_some_and(|visible| visible.contains(&local))
    }
    /// What a load of a hidden variable stands for.
    fn definition(&self, expr: ExprId) -> Option<ExprId> {
        let ExprKind::Load(place) = self.body.exprs[expr].kind else { return None };
        let PlaceKind::Local(local) = self.body.places[place].kind else { return None };
        self.definitions.get(&local).copied()
    }
    /// An expression without conversions, through the definitions of hidden variables.
    pub fn resolve(&self, mut expr: ExprId) -> ExprId {
        for _ in 0..DEPTH {
            expr = match self.body.exprs[expr].kind {
                ExprKind::Cast(inner) if self.is_same_sort(expr, inner) => inner,
                _ => match self.definition(expr) {
                    Some(value) => value,
                    None => break,
                },
            };
        }
        expr
    }
    fn is_same_sort(&self, a: ExprId, b: ExprId) -> bool {
        let sort = |id: ExprId| match self.types().get(self.body.exprs[id].ty) {
            Type::Bool | Type::Int { .. } => 0,
            Type::Pointer(_) => 1,
            _ => 2,
        };
        sort(a) == sort(b) && sort(a) < 2
    }

    /// The scalar in a place, if it can be spoken of at the head.
    pub fn source(&self, place: PlaceId) -> Option<Source> {
        let kind = &self.body.places[place].kind;
        if !matches!(self.types().get(self.body.places[place].ty), Type::Bool | Type::Int { .. } | Type::Pointer(_)) {
            return None;
        }
        match *kind {
            PlaceKind::Local(local) => self.is_visible(local).then_some(Source::Local(local)),
            PlaceKind::Global(global) => Some(Source::Global(global)),
            _ if self.visible.is_some() && self.is_stable(place) => self.twins.load(place).map(Source::Expr),
            _ => None,
        }
    }
    /// Whether a place is reached through visible variables and constant indices only.
    fn is_stable(&self, place: PlaceId) -> bool {
        let mut place = place;
        for _ in 0..DEPTH {
            place = match self.body.places[place].kind {
                PlaceKind::Local(local) => return self.is_visible(local),
                PlaceKind::Global(_) => return true,
                PlaceKind::Field(base, _) => base,
                PlaceKind::Index(base, index) if matches!(self.body.exprs[index].kind, ExprKind::Int(_)) => base,
                PlaceKind::Index(..) => return false,
                PlaceKind::Deref(pointer) => match self.body.exprs[pointer].kind {
                    ExprKind::Load(inner) => inner,
                    _ => return false,
                },
            };
        }
        false
    }
    /// The scalar variable that an expression reads.
    pub fn loaded(&self, expr: ExprId) -> Option<Source> {
        match self.body.exprs[self.resolve(expr)].kind {
            ExprKind::Load(place) => self.source(place),
            _ => None,
        }
    }

    /// A constant's value.
    pub fn constant(&self, expr: ExprId) -> Option<i128> {
        self.linear(expr).filter(|sum| sum.parts.is_empty()).map(|sum| sum.constant)
    }
    /// An integer, or a pointer's offset, as a sum.
    pub fn linear(&self, expr: ExprId) -> Option<Linear> {
        self.sum(expr, DEPTH)
    }
    fn sum(&self, expr: ExprId, depth: u32) -> Option<Linear> {
        let depth = depth.checked_sub(1)?;
        let ty = self.body.exprs[expr].ty;
        let is_pointer = matches!(self.types().get(ty), Type::Pointer(_));
        match self.body.exprs[expr].kind {
            ExprKind::Int(pattern) if !is_pointer => Some(Linear::constant(self.types().value(ty, pattern))),
            ExprKind::Load(place) => match self.source(place) {
                Some(source) => Some(self.quantity(source, is_pointer)),
                None => self.sum(self.definition(expr)?, depth),
            },
            ExprKind::Cast(inner) if self.is_same_sort(expr, inner) => self.sum(inner, depth),
            ExprKind::Unary(UnaryOp::Neg, inner) => Some(Linear::default().minus(&self.sum(inner, depth)?)),
            ExprKind::Binary(BinaryOp::Add, a, b) => Some(self.sum(a, depth)?.plus(1, &self.sum(b, depth)?)),
            ExprKind::Binary(BinaryOp::Sub, a, b) => Some(self.sum(a, depth)?.minus(&self.sum(b, depth)?)),
            ExprKind::Binary(BinaryOp::Mul, a, b) => scaled(&self.sum(a, depth)?, &self.sum(b, depth)?),
            ExprKind::Binary(BinaryOp::Shl, a, b) => {
                let distance = self.sum(b, depth)?;
                let factor = 1i64.checked_shl(u32::try_from(distance.constant).ok().filter(|bits| *bits < 62)?)?;
                distance.parts.is_empty().then_some(())?;
                Some(Linear::default().plus(factor, &self.sum(a, depth)?))
            }
            ExprKind::PointerAdd(pointer, index) => {
                let element = i64::try_from(self.element_size(ty)?).ok()?;
                Some(self.sum(pointer, depth)?.plus(element, &self.sum(index, depth)?))
            }
            ExprKind::PointerDiff(a, b) => {
                let element = i64::try_from(self.element_size(self.body.exprs[a].ty)?).ok()?;
                divided(self.sum(a, depth)?.minus(&self.sum(b, depth)?), element)
            }
            ExprKind::AddressOf(place) => self.offset(place, depth),
            ExprKind::Query(Query::Offset, pointer) => self.sum(pointer, depth),
            ExprKind::Query(Query::ObjectSize, pointer) => self.size(pointer),
            _ => None,
        }
    }
    fn quantity(&self, source: Source, is_pointer: bool) -> Linear {
        match self.known.get(&source) {
            Some(value) => Linear::constant(*value),
            None => {
                let aspect = if is_pointer { Aspect::Offset } else { Aspect::Value };
                Linear::of(Quantity::Of(source, aspect, Moment::Now))
            }
        }
    }
    /// How far a place is from the start of its object.
    fn offset(&self, place: PlaceId, depth: u32) -> Option<Linear> {
        let mut sum = Linear::default();
        let mut place = place;
        for _ in 0..DEPTH {
            place = match self.body.places[place].kind {
                PlaceKind::Local(_) | PlaceKind::Global(_) => return Some(sum),
                PlaceKind::Deref(pointer) => return Some(self.sum(pointer, depth)?.plus(1, &sum)),
                PlaceKind::Field(base, _) => {
                    sum = sum.shifted(i128::from(self.body.field(self.types(), place)?.offset));
                    base
                }
                PlaceKind::Index(base, index) => {
                    let element = i64::try_from(self.types().size_of(self.body.places[place].ty)?).ok()?;
                    sum = sum.plus(element, &self.sum(index, depth)?);
                    base
                }
            };
        }
        None
    }
    /// The size of the object that a pointer belongs to.
    pub fn size(&self, pointer: ExprId) -> Option<Linear> {
        let mut pointer = self.resolve(pointer);
        for _ in 0..DEPTH {
            pointer = match self.body.exprs[pointer].kind {
                ExprKind::PointerAdd(base, _) => self.resolve(base),
                ExprKind::Load(place) => {
                    return Some(Linear::of(Quantity::Of(self.source(place)?, Aspect::Size, Moment::Now)));
                }
                ExprKind::AddressOf(place) => match self.root(place) {
                    Root::Object(ty) => return Some(Linear::constant(i128::from(self.types().size_of(ty)?))),
                    Root::Behind(pointer) => self.resolve(pointer),
                },
                _ => return None,
            };
        }
        None
    }
    fn root(&self, place: PlaceId) -> Root {
        let mut place = place;
        loop {
            match self.body.places[place].kind {
                PlaceKind::Local(_) | PlaceKind::Global(_) => return Root::Object(self.body.places[place].ty),
                PlaceKind::Deref(pointer) => return Root::Behind(pointer),
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
            }
        }
    }
    /// The buffer that a pointer is counted from, and by how many elements of its type it is behind the beginning or that pointer.
    pub fn buffer(&self, pointer: ExprId) -> Option<(Buffer, Linear)> {
        let mut pointer = self.resolve(pointer);
        let mut index = Linear::default();
        let element = self.element_size(self.body.exprs[pointer].ty)?;
        for _ in 0..DEPTH {
            match self.body.exprs[pointer].kind {
                ExprKind::PointerAdd(base, by) if self.element_size(self.body.exprs[pointer].ty) == Some(element) => {
                    index = index.plus(1, &self.linear(by)?);
                    pointer = self.resolve(base);
                }
                ExprKind::Load(place) => return Some((Buffer::Pointer(self.source(place)?), index)),
                ExprKind::AddressOf(place) => {
                    // The address of an array's first element, or of another one.
                    let PlaceKind::Index(array, by) = self.body.places[place].kind else { return None };
                    return Some((Buffer::Array(self.length(array)?), index.plus(1, &self.linear(by)?)));
                }
                _ => return None,
            }
        }
        None
    }
    /// How many elements the array in a place has.
    pub fn length(&self, array: PlaceId) -> Option<u64> {
        match self.types().get(self.body.places[array].ty) {
            Type::Array { len, .. } => *len,
            _ => None,
        }
    }
    /// A global variable's source if it is a scalar.
    pub fn global(&self, global: GlobalId) -> Option<Source> {
        let ty = self.program.globals.get(global)?.ty;
        matches!(self.types().get(ty), Type::Bool | Type::Int { .. } | Type::Pointer(_)).then_some(Source::Global(global))
    }
}

/// The object that a place is in.
enum Root {
    /// A variable of this type.
    Object(TypeId),
    /// What this pointer leads to.
    Behind(ExprId),
}

fn scaled(a: &Linear, b: &Linear) -> Option<Linear> {
    let (factor, sum) = match (a.parts.is_empty(), b.parts.is_empty()) {
        (true, _) => (a.constant, b),
        (_, true) => (b.constant, a),
        _ => return None,
    };
    Some(Linear::default().plus(i64::try_from(factor).ok()?, sum))
}

fn divided(mut sum: Linear, by: i64) -> Option<Linear> {
    let fits = by != 0 && sum.constant % i128::from(by) == 0 && sum.parts.iter().all(|(factor, _)| factor % by == 0);
    fits.then(|| {
        sum.constant /= i128::from(by);
        sum.parts.iter_mut().for_each(|(factor, _)| *factor /= by);
        sum
    })
}
