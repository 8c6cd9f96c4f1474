//! Expressions and places as C.

use std::cell::Cell;

use model::{
    BinaryOp, Body, Expr, ExprId, ExprKind, FloatFormat, GlobalId, LocalId, OverflowOp, PlaceId, PlaceKind, Program, Query, RecordKind,
    Type, TypeId, UnaryOp, text,
};

use super::Style;

/// How strongly operators bind; more binds stronger.
pub(super) mod strength {
    pub(in super::super) const SELECT: u8 = 1;
    pub(in super::super) const IMPLIES: u8 = 2;
    pub(in super::super) const OR: u8 = 3;
    pub(in super::super) const AND: u8 = 4;
    pub(in super::super) const EQUAL: u8 = 8;
    pub(in super::super) const LESS: u8 = 9;
    pub(in super::super) const SUM: u8 = 11;
    pub(in super::super) const PRODUCT: u8 = 12;
    pub(in super::super) const UNARY: u8 = 14;
    pub(in super::super) const POSTFIX: u8 = 15;
}

/// Text, and how strongly its outermost operator binds.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) strength: u8,
}

impl Text {
    pub(super) fn new(text: impl Into<String>, strength: u8) -> Self {
        Text { text: text.into(), strength }
    }
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Text::new(text, strength::POSTFIX)
    }
    /// The text where something that binds at least this strongly must stand.
    pub(super) fn at(self, least: u8) -> String {
        if self.strength < least { format!("({})", self.text) } else { self.text }
    }
}

/// Writes what belongs to one body.
pub(super) struct Printer<'a> {
    pub(super) program: &'a Program,
    pub(super) body: &'a Body,
    pub(super) style: Style,
    /// How many more nodes may be written: shared parts are written as often as they occur, and nobody reads a page.
    fuel: Cell<u32>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(program: &'a Program, body: &'a Body, style: Style) -> Self {
        Printer { program, body, style, fuel: Cell::new(200) }
    }

    /// Whether another tool is going to read it, so that it has to be exact.
    pub(super) fn strict(&self) -> bool {
        self.style != Style::Source
    }

    pub(super) fn local(&self, id: LocalId) -> Option<Text> {
        let local = self.body.locals.get(id)?;
        match local.name.is_empty() {
            false => Some(Text::atom(local.name.clone())),
            true => (!self.strict()).then(|| Text::atom(format!("tmp{}", id.raw()))),
        }
    }

    pub(super) fn global(&self, id: GlobalId) -> Option<Text> {
        let global = self.program.globals.get(id)?;
        match global.name.rsplit_once('.') {
            None => Some(Text::atom(global.name.clone())),
            // The static variable of a function.
            Some((function, name)) if !function.is_empty() && !global.name.starts_with('.') => Some(Text::atom(name)),
            Some(_) => self.literal(id).or_else(|| (!self.strict()).then(|| Text::atom(global.name.clone()))),
        }
    }

    /// A string literal, if the object looks like one and is short.
    fn literal(&self, id: GlobalId) -> Option<Text> {
        let global = self.program.globals.get(id)?;
        let size = self.program.types.size_of(global.ty)?;
        let init = global.init.as_ref()?;
        if !global.constant || !(1..=40).contains(&size) || !init.relocations.is_empty() {
            return None;
        }
        let mut bytes = vec![0u8; size as usize];
        for chunk in &init.chunks {
            let from = chunk.offset as usize;
            bytes.get_mut(from..from + chunk.bytes.len())?.copy_from_slice(&chunk.bytes);
        }
        (bytes.pop() == Some(0) && bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')))
            .then(|| Text::atom(format!("\"{}\"", bytes.escape_ascii())))
    }

    /// An expression; `None` if the style has no words for it, or if it is too long.
    pub(super) fn expr(&self, id: ExprId) -> Option<Text> {
        // The fuel bounds the depth of this recursion, too.
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        let expr = self.body.exprs.get(id)?;
        match expr.kind {
            ExprKind::Int(pattern) => self.constant(expr.ty, pattern),
            ExprKind::Float(pattern) => float(self.program.types.get(expr.ty), pattern),
            ExprKind::Zero => self.program.types.is_scalar(expr.ty).then(|| Text::atom("0")),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Function(function) => Some(Text::atom(self.program.functions.get(function)?.name.clone())),
            ExprKind::Unary(op, value) => self.unary(expr, op, value),
            ExprKind::Binary(op, left, right) => self.binary(expr, op, left, right),
            ExprKind::Cast(value) => self.cast(expr.ty, value),
            ExprKind::PointerAdd(pointer, index) => self.infix("+", pointer, index, strength::SUM),
            ExprKind::PointerDiff(left, right) => self.infix("-", left, right, strength::SUM),
            ExprKind::Select(condition, yes, no) => {
                let (condition, yes, no) = (self.condition(condition)?, self.expr(yes)?, self.expr(no)?);
                let text = format!("{} ? {} : {}", condition.at(strength::OR), yes.at(strength::OR), no.at(strength::SELECT));
                Some(Text::new(text, strength::SELECT))
            }
            ExprKind::Overflows(op, left, right, _) if !self.strict() => {
                let symbol = match op {
                    OverflowOp::Add => "+",
                    OverflowOp::Sub => "-",
                    OverflowOp::Mul => "*",
                };
                let sum = self.infix(symbol, left, right, strength::SUM)?;
                Some(Text::atom(format!("overflows({})", sum.text)))
            }
            ExprKind::Query(query, pointer) => self.query(query, pointer),
            ExprKind::SameObject(left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                Some(self.same_object(left, right))
            }
            ExprKind::Initialised(place) => {
                let place = self.place(place)?;
                match self.style {
                    Style::Source => Some(Text::atom(format!("initialised({})", place.text))),
                    Style::Acsl => Some(Text::atom(format!("\\initialized(&{})", place.at(strength::UNARY)))),
                    Style::Cprover => None,
                }
            }
            ExprKind::HeapEmpty if !self.strict() => Some(Text::atom("heap_empty()")),
            ExprKind::Label(_) | ExprKind::Overflows(..) | ExprKind::HeapEmpty => None,
        }
    }

    /// A truth value as a condition. In ACSL, truth values that variables hold are numbers.
    pub(super) fn condition(&self, id: ExprId) -> Option<Text> {
        let expr = self.body.exprs.get(id)?;
        let text = self.expr(id)?;
        let is_number = match expr.kind {
            ExprKind::Load(_) => self.style == Style::Acsl || *self.program.types.get(expr.ty) != Type::Bool,
            ExprKind::Int(_) if *self.program.types.get(expr.ty) == Type::Bool => self.style == Style::Acsl,
            _ => *self.program.types.get(expr.ty) != Type::Bool,
        };
        Some(if is_number { Text::new(format!("{} != 0", text.at(strength::EQUAL + 1)), strength::EQUAL) } else { text })
    }

    /// An integer constant or null.
    pub(super) fn constant(&self, ty: TypeId, pattern: u128) -> Option<Text> {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Bool if !self.strict() => Some(Text::atom(if pattern != 0 { "true" } else { "false" })),
            Type::Pointer(_) if pattern == 0 => Some(self.null()),
            Type::Pointer(_) => Some(Text::new(format!("({}){pattern:#x}", self.type_name(ty)?), strength::UNARY)),
            _ => self.number(types.value(ty, pattern), types.bits(ty)?, types.is_signed(ty)),
        }
    }

    /// A number, with the suffix that makes it of the right type where C cares.
    fn number(&self, value: i128, bits: u16, signed: bool) -> Option<Text> {
        let suffix = match (self.style, bits, signed) {
            (Style::Cprover, 0..=31, _) | (Style::Cprover, 32, true) => "",
            (Style::Cprover, 32, false) => "u",
            (Style::Cprover, 64, true) => "ll",
            (Style::Cprover, 64, false) => "ull",
            (Style::Cprover, ..) => return None,
            _ => "",
        };
        if self.style == Style::Cprover && value == i128::from(i64::MIN) {
            return Some(Text::new(format!("-{}ll - 1", i64::MAX), strength::SUM));
        }
        Some(Text::new(format!("{value}{suffix}"), if value < 0 { strength::UNARY } else { strength::POSTFIX }))
    }

    pub(super) fn null(&self) -> Text {
        match self.style {
            Style::Source => Text::atom("NULL"),
            Style::Acsl => Text::atom("\\null"),
            Style::Cprover => Text::new("(void *)0", strength::UNARY),
        }
    }

    pub(super) fn place(&self, id: PlaceId) -> Option<Text> {
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        let place = self.body.places.get(id)?;
        match place.kind {
            PlaceKind::Local(local) => self.local(local),
            PlaceKind::Global(global) => self.global(global),
            PlaceKind::Deref(pointer) => match self.body.exprs.get(pointer)?.kind {
                ExprKind::PointerAdd(base, index) if self.points_to(pointer, place.ty) => {
                    let index = self.expr(index)?;
                    Some(Text::atom(format!("{}[{}]", self.expr(base)?.at(strength::POSTFIX), index.text)))
                }
                _ if self.points_to(pointer, place.ty) => {
                    Some(Text::new(format!("*{}", self.expr(pointer)?.at(strength::UNARY)), strength::UNARY))
                }
                _ => {
                    let (ty, pointer) = (self.type_name(place.ty)?, self.expr(pointer)?);
                    Some(Text::new(format!("*({ty} *){}", pointer.at(strength::UNARY)), strength::UNARY))
                }
            },
            PlaceKind::Field(base, _) => {
                let name = &self.body.field(&self.program.types, id)?.name;
                match self.body.places.get(base)?.kind {
                    _ if name.is_empty() => self.place(base),
                    PlaceKind::Deref(pointer) if self.points_to(pointer, self.body.places[base].ty) && !self.is_sum(pointer) => {
                        Some(Text::atom(format!("{}->{name}", self.expr(pointer)?.at(strength::POSTFIX))))
                    }
                    _ => Some(Text::atom(format!("{}.{name}", self.place(base)?.at(strength::POSTFIX)))),
                }
            }
            PlaceKind::Index(base, index) => {
                let index = self.expr(index)?;
                Some(Text::atom(format!("{}[{}]", self.place(base)?.at(strength::POSTFIX), index.text)))
            }
        }
    }

    fn is_sum(&self, pointer: ExprId) -> bool {
        matches!(self.body.exprs[pointer].kind, ExprKind::PointerAdd(..))
    }

    /// Whether a pointer's type says that it leads to this type.
    pub(super) fn points_to(&self, pointer: ExprId, ty: TypeId) -> bool {
        self.body.exprs.get(pointer).is_some_and(|expr| *self.program.types.get(expr.ty) == Type::Pointer(ty))
    }

    /// A pointer to a place; an array is its own first element's address.
    fn address(&self, id: PlaceId) -> Option<Text> {
        if let PlaceKind::Index(base, index) = self.body.places.get(id)?.kind
            && matches!(self.body.exprs.get(index)?.kind, ExprKind::Int(0))
        {
            return self.place(base);
        }
        Some(Text::new(format!("&{}", self.place(id)?.at(strength::UNARY)), strength::UNARY))
    }

    fn unary(&self, expr: &Expr, op: UnaryOp, value: ExprId) -> Option<Text> {
        let (symbol, word) = match op {
            UnaryOp::Neg => ("-", ""),
            UnaryOp::BitNot => ("~", ""),
            UnaryOp::LeadingZeros => ("", "leading_zeros"),
            UnaryOp::TrailingZeros => ("", "trailing_zeros"),
            UnaryOp::PopCount => ("", "count_ones"),
            UnaryOp::ByteSwap => ("", "swap_bytes"),
            UnaryOp::FloatAbs => ("", "fabs"),
            UnaryOp::SignBit => ("", "signbit"),
            UnaryOp::IsNan => ("", "isnan"),
            UnaryOp::IsInfinite => ("", "isinf"),
            UnaryOp::Not => return self.negated(value),
        };
        let value = self.expr(value)?;
        match symbol {
            "" if self.strict() => None,
            "" => Some(Text::atom(format!("{word}({})", value.text))),
            _ => self.wrapped(expr.ty, Text::new(format!("{symbol}{}", value.at(strength::POSTFIX)), strength::UNARY)),
        }
    }

    /// The opposite of a truth value.
    pub(super) fn negated(&self, value: ExprId) -> Option<Text> {
        match self.body.exprs.get(value)?.kind {
            ExprKind::Binary(op, left, right) if !matches!(self.program.types.get(self.body.exprs[left].ty), Type::Float(_)) => {
                match opposite(op) {
                    Some(op) => self.comparison(op, left, right),
                    None => Some(negation(self.condition(value)?)),
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner),
            _ => Some(negation(self.condition(value)?)),
        }
    }

    fn binary(&self, expr: &Expr, op: BinaryOp, left: ExprId, right: ExprId) -> Option<Text> {
        let logical = *self.program.types.get(expr.ty) == Type::Bool;
        match op {
            BinaryOp::And if logical => self.logical("&&", left, right, strength::AND),
            BinaryOp::Or if logical => self.logical("||", left, right, strength::OR),
            _ if op.is_comparison() => self.comparison(op, left, right),
            _ => {
                let strength = match op {
                    BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => strength::PRODUCT,
                    BinaryOp::Add | BinaryOp::Sub => strength::SUM,
                    BinaryOp::Shl | BinaryOp::Shr => 10,
                    BinaryOp::And => 7,
                    BinaryOp::Xor => 6,
                    _ => 5,
                };
                let text = self.infix(op.symbol(), left, right, strength)?;
                let stays = matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
                if stays { Some(text) } else { self.wrapped(expr.ty, text) }
            }
        }
    }

    /// The result of an operation that wraps around: where the language computes in other widths, a cast says so.
    fn wrapped(&self, ty: TypeId, text: Text) -> Option<Text> {
        let exact = match (self.style, self.program.types.get(ty)) {
            (Style::Source, _) | (_, Type::Float(_)) => true,
            (Style::Acsl, _) => false,
            (Style::Cprover, _) => self.program.types.bits(ty)? >= 32,
        };
        if exact {
            return Some(text);
        }
        Some(Text::new(format!("({}){}", self.type_name(ty)?, text.at(strength::UNARY)), strength::UNARY))
    }

    fn logical(&self, symbol: &str, left: ExprId, right: ExprId, strength: u8) -> Option<Text> {
        let (left, right) = (self.condition(left)?, self.condition(right)?);
        Some(Text::new(format!("{} {symbol} {}", left.at(strength), right.at(strength)), strength))
    }

    fn infix(&self, symbol: &str, left: ExprId, right: ExprId, strength: u8) -> Option<Text> {
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        Some(Text::new(format!("{} {symbol} {}", left.at(strength), right.at(strength + 1)), strength))
    }

    fn comparison(&self, op: BinaryOp, left: ExprId, right: ExprId) -> Option<Text> {
        let operand = self.program.types.get(self.body.exprs.get(left)?.ty);
        // Comparisons of truth values would need other words in ACSL.
        if self.style == Style::Acsl && *operand == Type::Bool {
            return None;
        }
        let strength = if matches!(op, BinaryOp::Eq | BinaryOp::Ne) { strength::EQUAL } else { strength::LESS };
        let (left, right) = (self.compared(left, right)?, self.compared(right, left)?);
        Some(Text::new(format!("{} {} {}", left.at(strength + 1), op.symbol(), right.at(strength + 1)), strength))
    }

    /// One side of a comparison: a constant that is compared with a character is a character.
    fn compared(&self, side: ExprId, other: ExprId) -> Option<Text> {
        let mut other = self.body.exprs.get(other)?;
        while let ExprKind::Cast(inner) = other.kind {
            other = &self.body.exprs[inner];
        }
        let expr = self.body.exprs.get(side)?;
        match (&expr.kind, self.program.types.get(other.ty)) {
            (ExprKind::Int(pattern), Type::Int { bits: 8, signed: true }) if !matches!(other.kind, ExprKind::Int(_)) => {
                character(*pattern).map(Text::atom).or_else(|| self.expr(side))
            }
            _ => self.expr(side),
        }
    }

    fn cast(&self, ty: TypeId, value: ExprId) -> Option<Text> {
        let types = &self.program.types;
        let from = self.body.exprs.get(value)?.ty;
        let text = self.expr(value)?;
        let silent = match (types.get(from), types.get(ty)) {
            (from, to) if from == to => true,
            (Type::Int { bits, signed }, Type::Int { bits: to_bits, signed: to_signed }) => {
                let widens = to_bits > bits && (!signed || *to_signed);
                widens && (self.style != Style::Cprover || (*to_bits == 32 && *to_signed))
            }
            (Type::Bool, Type::Int { .. }) if self.style == Style::Acsl => {
                let is_number = matches!(self.body.exprs[value].kind, ExprKind::Load(_) | ExprKind::Int(_));
                return Some(if is_number { text } else { Text::atom(format!("({} ? 1 : 0)", text.at(strength::OR))) });
            }
            (Type::Bool, Type::Int { .. }) => self.style == Style::Source,
            (Type::Pointer(_), Type::Pointer(to)) => *types.get(*to) == Type::Void,
            _ => false,
        };
        if silent {
            return Some(text);
        }
        Some(Text::new(format!("({}){}", self.type_name(ty)?, text.at(strength::UNARY)), strength::UNARY))
    }

    fn query(&self, query: Query, pointer: ExprId) -> Option<Text> {
        let pointer = self.expr(pointer)?;
        match query {
            Query::ObjectSize => Some(self.size(pointer)),
            Query::Offset => Some(self.offset(pointer)),
            Query::Alive => Some(self.alive(pointer)),
            Query::IsNull if !self.strict() => Some(Text::atom(format!("null({})", pointer.text))),
            Query::Writable if self.style == Style::Cprover => Some(Text::atom(format!("__CPROVER_WRITEABLE_OBJECT({})", pointer.text))),
            Query::Heap | Query::Writable | Query::Function if !self.strict() => {
                let word = match query {
                    Query::Heap => "allocated",
                    Query::Writable => "writable",
                    _ => "callable",
                };
                Some(Text::atom(format!("{word}({})", pointer.text)))
            }
            _ => None,
        }
    }

    pub(super) fn size(&self, pointer: Text) -> Text {
        self.call(["size", "\\block_length", "__CPROVER_OBJECT_SIZE"], &pointer.text)
    }

    pub(super) fn offset(&self, pointer: Text) -> Text {
        let text = self.call(["offset", "\\offset", "__CPROVER_POINTER_OFFSET"], &pointer.text);
        match self.style {
            // Its C type has no sign.
            Style::Cprover => Text::new(format!("(long long){}", text.text), strength::UNARY),
            _ => text,
        }
    }

    pub(super) fn alive(&self, pointer: Text) -> Text {
        match self.style {
            Style::Acsl => Text::atom(format!("\\valid_read((char *)\\base_addr({}))", pointer.text)),
            _ => self.call(["valid", "", "__CPROVER_LIVE_OBJECT"], &pointer.text),
        }
    }

    pub(super) fn same_object(&self, left: Text, right: Text) -> Text {
        match self.style {
            Style::Acsl => Text::new(format!("\\base_addr({}) == \\base_addr({})", left.text, right.text), strength::EQUAL),
            _ => self.call(["same_object", "", "__CPROVER_same_object"], &format!("{}, {}", left.text, right.text)),
        }
    }

    fn call(&self, [source, acsl, cprover]: [&str; 3], arguments: &str) -> Text {
        let name = match self.style {
            Style::Source => source,
            Style::Acsl => acsl,
            Style::Cprover => cprover,
        };
        Text::atom(format!("{name}({arguments})"))
    }

    /// A type as C writes it in a cast.
    pub(super) fn type_name(&self, ty: TypeId) -> Option<String> {
        let types = &self.program.types;
        let mut stars = 0;
        let mut inner = ty;
        while let Type::Pointer(to) = types.get(inner) {
            stars += 1;
            inner = *to;
        }
        let name = match types.get(inner) {
            Type::Void => Some("void".to_owned()),
            Type::Bool => Some("_Bool".to_owned()),
            Type::Int { bits, signed } => integer_name(*bits, *signed),
            Type::Float(FloatFormat::F32) => Some("float".to_owned()),
            Type::Float(FloatFormat::F64) => Some("double".to_owned()),
            Type::Float(FloatFormat::X87) => Some("long double".to_owned()),
            Type::Record(record) if !types.record(*record).name.is_empty() => {
                let record = types.record(*record);
                let keyword = if record.kind == RecordKind::Struct { "struct" } else { "union" };
                Some(format!("{keyword} {}", record.name))
            }
            _ => None,
        };
        let name = name.or_else(|| (!self.strict()).then(|| text::type_name(types, inner)))?;
        Some(if stars == 0 { name } else { format!("{name} {}", "*".repeat(stars)) })
    }
}

fn integer_name(bits: u16, signed: bool) -> Option<String> {
    let name = match bits {
        8 if signed => return Some("char".to_owned()),
        8 => "char",
        16 => "short",
        32 => "int",
        64 => "long long",
        128 => "__int128",
        _ => return None,
    };
    Some(if signed { name.to_owned() } else { format!("unsigned {name}") })
}

fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        _ => return None,
    })
}

/// The opposite of a condition.
pub(super) fn negation(text: Text) -> Text {
    Text::new(format!("!{}", text.at(strength::UNARY)), strength::UNARY)
}

/// A character constant, for characters that are better known by their picture.
pub(super) fn character(pattern: u128) -> Option<String> {
    let byte = u8::try_from(pattern).ok().filter(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r'))?;
    Some(format!("'{}'", byte.escape_ascii()))
}

fn float(ty: &Type, pattern: u128) -> Option<Text> {
    let (value, suffix) = match ty {
        Type::Float(FloatFormat::F64) => (f64::from_bits(pattern as u64), ""),
        Type::Float(FloatFormat::F32) => (f64::from(f32::from_bits(pattern as u32)), "f"),
        _ => return None,
    };
    let strength = if value.is_sign_negative() { strength::UNARY } else { strength::POSTFIX };
    value.is_finite().then(|| Text::new(format!("{value:?}{suffix}"), strength))
}
