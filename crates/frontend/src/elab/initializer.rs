//! Initialisers: which part of an object gets which value (C17 6.7.9).

use rustc_hash::{FxHashMap, FxHashSet};

use super::ctype::{CType, Len, Qual, Ty};
use super::value::{Rvalue, Value};
use super::{Elaborated, Elaborator};
use crate::ast::{CharKind, Designator, ExprId, ExprKind, InitId, InitItem, InitializerKind, Range};
use crate::intern::Symbol;

/// One scalar, string or whole structure that an initialiser sets.
#[derive(Debug)]
pub struct Leaf {
    /// Positions from the object inwards: members and elements. Empty for the object itself, and for static objects.
    pub path: Vec<u64>,
    /// In bytes from the start of the object.
    pub offset: u64,
    /// Bit position and width of a bit-field.
    pub bits: Option<(u8, u16)>,
    pub ty: Ty,
    pub value: LeafValue,
}

#[derive(Debug)]
pub enum LeafValue {
    Value(Rvalue),
    /// The bytes of a string that fills an array, cut to its size, without trailing zeros beyond it.
    Bytes(Vec<u8>, Range),
    /// Zeros: what an earlier initialiser said of this part is replaced.
    Zero(Range),
}

/// An aggregate on the way to the current part.
struct Frame {
    ty: Ty,
    /// Of the aggregate, from the start of the object.
    offset: u64,
    /// The next part to be set.
    position: u64,
    /// How many parts there are; `None` if the array grows.
    count: Option<u64>,
}

/// The part that is to be set next.
struct Part {
    ty: Qual,
    offset: u64,
    bits: Option<(u8, u16)>,
}

/// A short text can ask for any number of parts; no real program comes near this.
const MOST_ITEMS: u32 = 1 << 25;

struct Walk {
    frames: Vec<Frame>,
    leaves: Vec<Leaf>,
    /// The length that an incomplete array has reached.
    length: u64,
    is_static: bool,
    /// Whether some later value may change what earlier ones read.
    effects: bool,
    /// How many items were followed; ranges inside ranges multiply them.
    items: u32,
    /// Nothing behind this offset has been set yet.
    reached: u64,
    /// For each union that has been gone into, by offset and type, which member was set last.
    active: FxHashMap<(u64, Ty), u64>,
    /// Records of an automatic object that one expression has set as a whole, by offset and type.
    whole: FxHashSet<(u64, Ty)>,
}

impl LeafValue {
    pub fn range(&self) -> Range {
        match self {
            LeafValue::Value(value) => value.range,
            LeafValue::Bytes(_, range) | LeafValue::Zero(range) => *range,
        }
    }
}

impl Walk {
    /// Sets the part that so many of the open aggregates lead to.
    fn push(&mut self, depth: usize, offset: u64, bits: Option<(u8, u16)>, ty: Ty, value: LeafValue) {
        let path = if self.is_static { Vec::new() } else { self.frames[..depth].iter().map(|frame| frame.position).collect() };
        self.leaves.push(Leaf { path, offset, bits, ty, value });
    }
}

impl Elaborator<'_> {
    /// The parts that an initialiser sets, in order, with values converted to their types; the type is completed if it is an array of unknown
    /// length. Values of static objects are not evaluated but must be constants.
    pub fn collect_initializer(&mut self, ty: Qual, init: InitId, is_static: bool) -> Elaborated<(Qual, Vec<Leaf>)> {
        let effects = !is_static && self.initializer_has_effects(init);
        let mut walk = Walk {
            frames: Vec::new(),
            leaves: Vec::new(),
            length: 0,
            is_static,
            effects,
            items: 0,
            reached: 0,
            active: FxHashMap::default(),
            whole: FxHashSet::default(),
        };
        if is_static {
            let outer = std::mem::replace(&mut self.unit.builder.in_static_initializer, true);
            let result = self.unevaluated(|this| this.initialize_part(&mut walk, Part { ty, offset: 0, bits: None }, init));
            self.unit.builder.in_static_initializer = outer;
            result?;
        } else {
            self.initialize_part(&mut walk, Part { ty, offset: 0, bits: None }, init)?;
        }
        let ty = match self.unit.types.element(ty.ty) {
            Some((elem, Len::Incomplete)) => Qual::new(self.unit.types.array(elem, Len::Fixed(walk.length)), ty.q),
            _ => ty,
        };
        Ok((ty, walk.leaves))
    }

    fn initializer_has_effects(&self, init: InitId) -> bool {
        let mut pending = vec![init];
        while let Some(init) = pending.pop() {
            match &self.ast.inits[init].kind {
                InitializerKind::Expr(expr) if self.has_effects(*expr) => return true,
                InitializerKind::Expr(_) => {}
                InitializerKind::List(items) => pending.extend(items.iter().map(|item| item.init)),
            }
        }
        false
    }

    /// Sets one part from an initialiser of its own: an expression of its type, or braces around its contents.
    fn initialize_part(&mut self, walk: &mut Walk, part: Part, init: InitId) -> Elaborated<()> {
        let range = self.ast.inits[init].range;
        match &self.ast.inits[init].kind {
            InitializerKind::Expr(expr) => {
                if let Some(bytes) = self.string_for(part.ty.ty, *expr) {
                    return self.string_leaf(walk, part, bytes, range);
                }
                let value = self.initial_value(walk, *expr)?;
                if self.unit.types.is_array(part.ty.ty) {
                    return self.array_from_literal(walk, part, value);
                }
                self.scalar_leaf(walk, part, value)
            }
            InitializerKind::List(items) => match self.frame(part.ty.ty, part.offset) {
                Some(frame) => {
                    if let [InitItem { designators, init: only }] = &items[..]
                        && designators.is_empty()
                        && let InitializerKind::Expr(expr) = &self.ast.inits[*only].kind
                        && let Some(bytes) = self.string_for(part.ty.ty, *expr)
                    {
                        return self.string_leaf(walk, part, bytes, range);
                    }
                    self.replace(walk, &part, range);
                    self.initialize_list(walk, frame, items)
                }
                None => match &items[..] {
                    [] if self.unit.types.is_scalar(part.ty.ty) || self.unit.types.is_complex(part.ty.ty) => Ok(()),
                    [first, rest @ ..] if first.designators.is_empty() => {
                        if !rest.is_empty() {
                            self.warning(range, "more than one value for a single number or pointer");
                        }
                        self.initialize_part(walk, part, first.init)
                    }
                    _ => self.error(range, "braces do not fit here", "this part is a single number or pointer"),
                },
            },
        }
    }

    /// The walk through an aggregate's parts, or `None` if the type has none.
    fn frame(&self, ty: Ty, offset: u64) -> Option<Frame> {
        let count = match self.unit.types.get(ty) {
            CType::Array { len: Len::Fixed(len), .. } => Some(*len),
            CType::Array { .. } => None,
            CType::Vector { len, .. } => Some(*len),
            CType::Record(record) => Some(self.unit.types.record(*record).fields.as_ref().map_or(0, |fields| fields.len() as u64)),
            _ => return None,
        };
        Some(Frame { ty, offset, position: 0, count })
    }

    fn part(&self, frame: &Frame) -> Option<Part> {
        if frame.count.is_some_and(|count| frame.position >= count) {
            return None;
        }
        match self.unit.types.get(frame.ty) {
            CType::Array { elem, .. } => {
                let size = self.unit.types.size(elem.ty)?;
                Some(Part { ty: *elem, offset: frame.offset.checked_add(size.checked_mul(frame.position)?)?, bits: None })
            }
            CType::Vector { elem, .. } => {
                let size = self.unit.types.size(*elem)?;
                Some(Part { ty: (*elem).into(), offset: frame.offset + size * frame.position, bits: None })
            }
            CType::Record(record) => {
                let field = self.unit.types.record(*record).fields.as_ref()?.get(frame.position as usize)?;
                Some(Part { ty: field.ty, offset: frame.offset + field.offset, bits: field.bits })
            }
            _ => None,
        }
    }

    fn initialize_list(&mut self, walk: &mut Walk, frame: Frame, items: &[InitItem]) -> Elaborated<()> {
        let base = walk.frames.len();
        walk.frames.push(frame);
        for item in items {
            let spans = self.spans(item)?;
            let mut indices: Vec<u64> = spans.iter().map(|(low, _)| *low).collect();
            loop {
                self.initialize_item(walk, base, item, &indices)?;
                if !next_combination(&mut indices, &spans) {
                    break;
                }
            }
        }
        walk.frames.truncate(base);
        Ok(())
    }

    /// The bounds of an item's range designators.
    fn spans(&mut self, item: &InitItem) -> Elaborated<Vec<(u64, u64)>> {
        let mut spans = Vec::new();
        let mut combinations = 1u64;
        for designator in &item.designators {
            if let Designator::Span(low, high) = designator {
                let (low, high) = (self.index_constant(*low)?, self.index_constant(*high)?);
                combinations = combinations.saturating_mul((high.saturating_sub(low)).saturating_add(1));
                if high < low || combinations > 1 << 24 {
                    let range = self.ast.inits[item.init].range;
                    return self.error(range, "this range of elements is empty or too large", "");
                }
                spans.push((low, high));
            }
        }
        Ok(spans)
    }

    fn index_constant(&mut self, id: ExprId) -> Elaborated<u64> {
        let (value, _) = self.integer_constant(id, "an index")?;
        match u64::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => {
                let range = self.ast.exprs[id].range;
                self.error(range, "an index cannot be negative", "")
            }
        }
    }

    fn initialize_item(&mut self, walk: &mut Walk, base: usize, item: &InitItem, spans: &[u64]) -> Elaborated<()> {
        let range = self.ast.inits[item.init].range;
        walk.items += 1;
        if walk.items > MOST_ITEMS {
            return self.error(range, format!("an initialiser sets more than {MOST_ITEMS} parts"), "");
        }
        if item.designators.is_empty() {
            while walk.frames.len() > base + 1 && walk.frames.last().is_some_and(|frame| self.part(frame).is_none()) {
                walk.frames.pop();
                self.advance(walk);
            }
        } else {
            walk.frames.truncate(base + 1);
            self.follow_designators(walk, item, spans)?;
        }
        let Some(part) = walk.frames.last().and_then(|frame| self.part(frame)) else {
            self.warning(range, "more initialisers than there are parts to initialise");
            if let InitializerKind::Expr(expr) = &self.ast.inits[item.init].kind {
                self.discard(*expr)?;
            }
            return Ok(());
        };
        match &self.ast.inits[item.init].kind {
            InitializerKind::List(_) => self.initialize_part(walk, part, item.init)?,
            InitializerKind::Expr(expr) => self.descend(walk, base, *expr, range)?,
        }
        self.advance(walk);
        Ok(())
    }

    /// Goes on to the next part of the innermost aggregate; a union has only one.
    fn advance(&mut self, walk: &mut Walk) {
        let outermost = walk.frames.len() == 1;
        let Some(frame) = walk.frames.last_mut() else { return };
        let is_union = match self.unit.types.get(frame.ty) {
            CType::Record(record) => self.unit.types.record(*record).is_union,
            _ => false,
        };
        frame.position = if is_union { frame.count.unwrap_or(0) } else { frame.position + 1 };
        if outermost {
            walk.length = walk.length.max(frame.position);
        }
    }

    fn follow_designators(&mut self, walk: &mut Walk, item: &InitItem, spans: &[u64]) -> Elaborated<()> {
        let range = self.ast.inits[item.init].range;
        let mut spans = spans.iter();
        for (depth, designator) in item.designators.iter().enumerate() {
            if depth > 0 && !self.enter_part(walk) {
                return self.error(range, "this part has no parts of its own", "");
            }
            match designator {
                Designator::Field(name, range) => self.designate_member(walk, *name, *range)?,
                Designator::Index(index) => {
                    let index = self.index_constant(*index)?;
                    self.designate_element(walk, index, range)?;
                }
                Designator::Span(..) => {
                    let index = spans.next().copied().unwrap_or(0);
                    self.designate_element(walk, index, range)?;
                }
            }
        }
        Ok(())
    }

    /// Makes the current part the innermost aggregate.
    fn enter_part(&mut self, walk: &mut Walk) -> bool {
        let frame = walk.frames.last().and_then(|frame| self.part(frame)).and_then(|part| self.frame(part.ty.ty, part.offset));
        match frame {
            Some(frame) => {
                walk.frames.push(frame);
                true
            }
            None => false,
        }
    }

    fn designate_member(&mut self, walk: &mut Walk, name: Symbol, range: Range) -> Elaborated<()> {
        let ty = walk.frames.last().map_or(Ty::VOID, |frame| frame.ty);
        let path = self.unit.types.as_record(ty).and_then(|record| self.find_member(record, name));
        let Some(path) = path else {
            let (ty, name) = (self.type_name(ty), self.name(name).to_string());
            return self.error(range, format!("`{ty}` has no member `{name}`"), "unknown member");
        };
        for (step, index) in path.into_iter().enumerate() {
            if step > 0 {
                self.enter_part(walk);
            }
            if let Some(frame) = walk.frames.last_mut() {
                frame.position = index as u64;
            }
        }
        Ok(())
    }

    fn designate_element(&mut self, walk: &mut Walk, index: u64, range: Range) -> Elaborated<()> {
        let Some(frame) = walk.frames.last_mut() else { return Ok(()) };
        if !matches!(self.unit.types.get(frame.ty), CType::Array { .. } | CType::Vector { .. }) {
            return self.error(range, "an index can name only an element of an array", "");
        }
        if let Some(count) = frame.count.filter(|count| index >= *count) {
            return self.error(range, format!("there is no element {index}: the array has {count}"), "");
        }
        frame.position = index;
        Ok(())
    }

    /// Sets the current part from an expression, going into aggregates whose braces were left out.
    fn descend(&mut self, walk: &mut Walk, base: usize, expr: ExprId, range: Range) -> Elaborated<()> {
        let mut value = None;
        loop {
            let Some(part) = walk.frames.last().and_then(|frame| self.part(frame)) else {
                // An empty aggregate takes nothing: the next part does.
                if walk.frames.len() <= base + 1 {
                    self.warning(range, "more initialisers than there are parts to initialise");
                    return Ok(());
                }
                walk.frames.pop();
                self.advance(walk);
                continue;
            };
            if let Some(bytes) = self.string_for(part.ty.ty, expr) {
                return self.string_leaf(walk, part, bytes, range);
            }
            let current = match value {
                Some(value) => value,
                None => *value.insert(self.initial_value(walk, expr)?),
            };
            let is_aggregate = self.frame(part.ty.ty, part.offset).is_some();
            // In a row of empty parts, each takes a value and drops it: otherwise an array without length would grow for ever.
            let in_array = walk.frames.last().is_some_and(|frame| self.unit.types.is_array(frame.ty));
            if is_aggregate && in_array && self.unit.types.size(part.ty.ty) == Some(0) {
                self.warning(range, "more initialisers than there are parts to initialise");
                return Ok(());
            }
            if !is_aggregate || self.unit.types.compatible(part.ty.ty, current.ty.ty) && !self.unit.types.is_array(part.ty.ty) {
                return self.scalar_leaf(walk, part, current);
            }
            self.enter_part(walk);
        }
    }

    fn initial_value(&mut self, walk: &Walk, expr: ExprId) -> Elaborated<Value> {
        let value = self.expr(expr)?;
        if walk.effects && !self.unit.types.is_array(value.ty.ty) { self.fixed(value) } else { Ok(value) }
    }

    /// The bytes with which a string literal fills an array of this type; `None` if this is no string for such an array.
    fn string_for(&self, ty: Ty, expr: ExprId) -> Option<(Box<[u8]>, usize)> {
        let ExprKind::String(bytes, kind) = &self.ast.exprs[expr].kind else { return None };
        let (elem, _) = self.unit.types.element(ty)?;
        let fits = match self.unit.types.get(elem.ty) {
            CType::Int(_) => {
                let (bits, _) = self.unit.types.int_shape(elem.ty)?;
                usize::from(bits) == 8 * kind.unit() && (kind.unit() > 1 || matches!(kind, CharKind::Plain | CharKind::Utf8))
            }
            _ => false,
        };
        fits.then(|| (bytes.clone(), kind.unit()))
    }

    fn string_leaf(&mut self, walk: &mut Walk, part: Part, (bytes, unit): (Box<[u8]>, usize), range: Range) -> Elaborated<()> {
        let (_, len) = self.unit.types.element(part.ty.ty).unwrap_or((Ty::CHAR.into(), Len::Incomplete));
        let count = (bytes.len() / unit) as u64;
        let mut bytes = bytes.into_vec();
        if let Len::Fixed(len) = len {
            if count > len {
                self.warning(range, "the string is longer than the array");
            }
            bytes.truncate(usize::try_from(len).unwrap_or(usize::MAX).saturating_mul(unit));
        } else if walk.frames.is_empty() {
            walk.length = count + 1;
        } else {
            // A flexible array member holds the string with its end.
            bytes.extend(std::iter::repeat_n(0, unit));
        }
        self.replace(walk, &part, range);
        self.leaf(walk, &part, LeafValue::Bytes(bytes, range));
        Ok(())
    }

    /// GNU: an array may be initialised by a compound literal of its type.
    fn array_from_literal(&mut self, walk: &mut Walk, part: Part, value: Value) -> Elaborated<()> {
        let is_literal = self.unit.types.is_array(value.ty.ty) && self.unit.types.compatible(part.ty.ty, value.ty.ty);
        let super::value::ValueKind::Place(place) = value.kind else {
            return self.error(value.range, "an array needs an initialiser in braces or a string", "");
        };
        if !is_literal {
            return self.error(value.range, "an array needs an initialiser in braces or a string", "");
        }
        if let Some((_, Len::Fixed(len))) = self.unit.types.element(value.ty.ty) {
            walk.length = walk.length.max(len);
        }
        let span = self.span(value.range);
        let ty = self.unit.builder.body.places[place].ty;
        let expr = self.make(model::ExprKind::Load(place), ty, span);
        self.leaf(walk, &Part { ty: value.ty, ..part }, LeafValue::Value(Rvalue { expr, ty: value.ty.ty, range: value.range }));
        Ok(())
    }

    fn scalar_leaf(&mut self, walk: &mut Walk, part: Part, value: Value) -> Elaborated<()> {
        let value = self.convert_for_assignment(value, part.ty.ty)?;
        let is_whole = !self.unit.types.is_scalar(part.ty.ty);
        if is_whole {
            self.replace(walk, &part, value.range);
        }
        self.leaf(walk, &part, LeafValue::Value(value));
        if is_whole && !walk.is_static {
            walk.whole.insert((part.offset, part.ty.ty));
        }
        Ok(())
    }

    fn leaf(&mut self, walk: &mut Walk, part: &Part, value: LeafValue) {
        if let Some(outermost) = walk.frames.first() {
            walk.length = walk.length.max(outermost.position + 1);
        }
        self.activate(walk, value.range());
        let size = match &value {
            LeafValue::Bytes(bytes, _) => bytes.len() as u64,
            _ => self.unit.types.size(part.ty.ty).unwrap_or(0),
        };
        walk.reached = walk.reached.max(part.offset.saturating_add(size));
        walk.push(walk.frames.len(), part.offset, part.bits, part.ty.ty, value);
    }

    /// Takes back what earlier initialisers said of a part that gets one of its own (C17 6.7.9p19).
    fn replace(&self, walk: &mut Walk, part: &Part, range: Range) {
        if self.is_set(walk, part.offset, part.ty.ty) {
            walk.push(walk.frames.len(), part.offset, None, part.ty.ty, LeafValue::Zero(range));
        }
    }

    /// A union holds one member: setting another takes back what was said of the first. A record that an expression set as a whole is
    /// taken back when a part of it is set (GCC; the standard leaves it open whether the expression counts for the rest).
    fn activate(&self, walk: &mut Walk, range: Range) {
        for depth in 0..walk.frames.len() {
            let Frame { ty, offset, position, .. } = walk.frames[depth];
            let is_union = self.unit.types.as_record(ty).is_some_and(|record| self.unit.types.record(record).is_union);
            let is_other = is_union && walk.active.insert((offset, ty), position) != Some(position) && self.is_set(walk, offset, ty);
            if walk.whole.remove(&(offset, ty)) || is_other {
                walk.push(depth, offset, None, ty, LeafValue::Zero(range));
            }
        }
    }

    /// Whether something inside this part has been set.
    fn is_set(&self, walk: &Walk, offset: u64, ty: Ty) -> bool {
        let end = offset.saturating_add(self.unit.types.size(ty).unwrap_or(u64::MAX));
        let overlaps =
            |leaf: &Leaf| leaf.offset < end && leaf.offset.saturating_add(self.unit.types.size(leaf.ty).unwrap_or(u64::MAX)) > offset;
        offset < walk.reached && walk.leaves.iter().any(overlaps)
    }
}

/// Counts up indices within their bounds, the last one first; `false` after the last combination.
fn next_combination(indices: &mut [u64], spans: &[(u64, u64)]) -> bool {
    for (index, (low, high)) in indices.iter_mut().zip(spans).rev() {
        if *index < *high {
            *index += 1;
            return true;
        }
        *index = *low;
    }
    false
}
