//! Parsing of expressions and places.

use super::lex::Kind;
use super::parse::{Parsed, Symbol};
use super::parse_body::BodyParser;
use super::parse_data::{float_pattern, int_pattern};
use super::parse_types::float_format;
use super::print_expr::{binary_strength, default_float, default_int, pointee, strength, unary_word};
use super::words::int_type;
use crate::expr::{BinaryOp, Expr, ExprId, ExprKind, OverflowOp, Place, PlaceId, PlaceKind, Query, UnaryOp};
use crate::program::FunctionId;
use crate::span::Span;
use crate::types::{Type, TypeId, Types};

/// What a piece of text stands for before its context says how it is used.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    /// A value.
    Value(ExprId),
    /// A place, whose value can be meant.
    Place(PlaceId),
    /// A function, which is called or whose address is taken.
    Function(FunctionId),
}

impl<'a> BodyParser<'_, '_, 'a> {
    fn types(&mut self) -> &mut Types {
        &mut self.parser.program.types
    }

    fn type_of(&self, id: ExprId) -> TypeId {
        self.body.exprs[id].ty
    }

    fn kind_of(&self, id: ExprId) -> &Type {
        self.parser.program.types.get(self.type_of(id))
    }

    fn make(&mut self, kind: ExprKind, ty: TypeId) -> Operand {
        Operand::Value(self.body.exprs.push(Expr { kind, ty, span: Span::NONE }))
    }

    fn make_place(&mut self, kind: PlaceKind, ty: TypeId) -> Operand {
        let volatile = kind.base().is_some_and(|base| self.body.places[base].volatile);
        Operand::Place(self.body.places.push(Place { kind, ty, volatile, span: Span::NONE }))
    }

    /// The operand as a value: what a place holds.
    pub(super) fn value(&mut self, operand: Operand) -> Parsed<ExprId> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Place(place) => {
                let ty = self.body.places[place].ty;
                Ok(self.body.exprs.push(Expr { kind: ExprKind::Load(place), ty, span: Span::NONE }))
            }
            Operand::Function(_) => self.parser.error_behind("a function is no value; its address `&f` is one".to_string()),
        }
    }

    pub(super) fn place(&mut self, operand: Operand) -> Parsed<PlaceId> {
        match operand {
            Operand::Place(place) => Ok(place),
            _ => self.parser.error_behind("this is not a place".to_string()),
        }
    }

    /// An expression as a value.
    pub(super) fn expr(&mut self, expected: Option<TypeId>) -> Parsed<ExprId> {
        let operand = self.operand(strength::ANY, expected)?;
        self.value(operand)
    }

    /// What binds at least as strongly as `min`, where something of the type `expected` is looked for.
    pub(super) fn operand(&mut self, min: u8, expected: Option<TypeId>) -> Parsed<Operand> {
        let mut left = self.unary(expected)?;
        while let Kind::Mark(symbol) = self.parser.peek() {
            let Some(own) = binary_strength(symbol).filter(|own| *own >= min) else { break };
            let left_value = self.value(left)?;
            self.parser.advance();
            let right_type = match (symbol, self.kind_of(left_value)) {
                ("<<" | ">>", _) | ("+", Type::Pointer(_)) => None,
                _ => Some(self.type_of(left_value)),
            };
            let right = self.operand(own + 1, right_type)?;
            let right = self.value(right)?;
            left = self.binary(symbol, left_value, right)?;
        }
        if min <= strength::SELECT && self.parser.peek() == Kind::Mark("?") {
            left = self.select(left, expected)?;
        }
        Ok(left)
    }

    fn select(&mut self, condition: Operand, expected: Option<TypeId>) -> Parsed<Operand> {
        let condition = self.value(condition)?;
        self.parser.expect("?")?;
        let yes = self.operand(strength::BINARY, expected)?;
        let yes = self.value(yes)?;
        self.parser.expect(":")?;
        let ty = self.type_of(yes);
        let no = self.operand(strength::BINARY, Some(ty))?;
        let no = self.value(no)?;
        Ok(self.make(ExprKind::Select(condition, yes, no), ty))
    }

    fn binary(&mut self, symbol: &str, left: ExprId, right: ExprId) -> Parsed<Operand> {
        let ty = self.type_of(left);
        let is_pointer = |ty: &Type| matches!(ty, Type::Pointer(_));
        match (symbol, is_pointer(self.kind_of(left))) {
            ("+", true) => return Ok(self.make(ExprKind::PointerAdd(left, right), ty)),
            ("-", true) => {
                let bits = self.types().target().pointer_bits();
                let distance = self.types().int(bits, true);
                return Ok(self.make(ExprKind::PointerDiff(left, right), distance));
            }
            _ => {}
        }
        let op = match symbol {
            "&&" | "||" if *self.kind_of(left) != Type::Bool => {
                return self.parser.error(format!("`{symbol}` takes truth values"));
            }
            "&&" => BinaryOp::And,
            "||" => BinaryOp::Or,
            _ => match OPERATORS.into_iter().find(|op| op.symbol() == symbol) {
                Some(op) => op,
                None => return self.parser.expected("an operator"),
            },
        };
        let ty = if op.is_comparison() { self.types().bool() } else { ty };
        Ok(self.make(ExprKind::Binary(op, left, right), ty))
    }

    fn unary(&mut self, expected: Option<TypeId>) -> Parsed<Operand> {
        self.parser.enter()?;
        let operand = self.unary_here(expected)?;
        self.parser.leave();
        Ok(operand)
    }

    fn unary_here(&mut self, expected: Option<TypeId>) -> Parsed<Operand> {
        let Kind::Mark(mark) = self.parser.peek() else { return self.postfix(expected) };
        match mark {
            "-" if matches!(self.parser.peek_at(1), Kind::Number(_)) => self.constant(expected),
            "-" => self.operation(UnaryOp::Neg, expected),
            "~" => self.operation(UnaryOp::BitNot, expected),
            "!" => self.operation(UnaryOp::Not, expected),
            "*" => {
                self.parser.advance();
                let pointer = self.unary(None)?;
                self.dereference(pointer)
            }
            "&" => self.address(),
            "&&" => {
                self.parser.advance();
                let label = self.parser.block_name()?;
                let void = self.types().void();
                let ty = self.types().pointer(void);
                Ok(self.make(ExprKind::Label(label), ty))
            }
            "(" if self.parser.type_is_ahead(1) => {
                self.parser.advance();
                let ty = self.parser.ty()?;
                self.parser.expect(")")?;
                let operand = self.unary(None)?;
                let value = self.value(operand)?;
                Ok(self.make(ExprKind::Cast(value), ty))
            }
            _ => self.postfix(expected),
        }
    }

    fn operation(&mut self, op: UnaryOp, expected: Option<TypeId>) -> Parsed<Operand> {
        self.parser.advance();
        let operand = self.unary(expected)?;
        let value = self.value(operand)?;
        Ok(self.make(ExprKind::Unary(op, value), self.type_of(value)))
    }

    fn dereference(&mut self, pointer: Operand) -> Parsed<Operand> {
        let pointer = self.value(pointer)?;
        match pointee(&self.parser.program.types, self.type_of(pointer)) {
            Some(ty) => Ok(self.make_place(PlaceKind::Deref(pointer), ty)),
            None => self.parser.error_behind("this is not a pointer".to_string()),
        }
    }

    fn address(&mut self) -> Parsed<Operand> {
        self.parser.advance();
        match self.unary(None)? {
            Operand::Place(place) => {
                let to = self.body.places[place].ty;
                let ty = self.types().pointer(to);
                Ok(self.make(ExprKind::AddressOf(place), ty))
            }
            Operand::Function(function) => {
                let ty = if self.parser.take_word("as") {
                    self.parser.ty()?
                } else {
                    let to = self.parser.program.functions[function].ty;
                    self.types().pointer(to)
                };
                Ok(self.make(ExprKind::Function(function), ty))
            }
            Operand::Value(_) => self.parser.error_behind("a value has no address".to_string()),
        }
    }

    fn postfix(&mut self, expected: Option<TypeId>) -> Parsed<Operand> {
        let mut operand = self.primary(expected)?;
        loop {
            if self.parser.take(".") {
                operand = self.field(operand)?;
            } else if self.parser.take("->") {
                let base = self.dereference(operand)?;
                operand = self.field(base)?;
            } else if self.parser.take("[") {
                operand = self.element(operand)?;
                self.parser.expect("]")?;
            } else {
                return Ok(operand);
            }
        }
    }

    fn field(&mut self, base: Operand) -> Parsed<Operand> {
        let base = self.place(base)?;
        let Type::Record(record) = *self.parser.program.types.get(self.body.places[base].ty) else {
            return self.parser.error_behind("this is not a record".to_string());
        };
        let name = self.parser.name()?;
        let index = self.parser.fields.get(record.index()).and_then(|fields| fields.get(&name)).copied();
        let layout = self.parser.program.types.record(record).layout.as_ref();
        match index.and_then(|index| Some((index, layout?.fields.get(index as usize)?.ty))) {
            Some((index, ty)) => Ok(self.make_place(PlaceKind::Field(base, index), ty)),
            None => self.parser.error_behind(format!("there is no such field as {:?}", name.0)),
        }
    }

    /// An element of an array in a place, or what a pointer leads to.
    fn element(&mut self, base: Operand) -> Parsed<Operand> {
        if let Operand::Place(array) = base
            && let Type::Array { elem, .. } = *self.parser.program.types.get(self.body.places[array].ty)
        {
            let index = self.expr(None)?;
            return Ok(self.make_place(PlaceKind::Index(array, index), elem));
        }
        let pointer = self.value(base)?;
        let ty = self.type_of(pointer);
        let index = self.expr(None)?;
        let moved = self.make(ExprKind::PointerAdd(pointer, index), ty);
        self.dereference(moved)
    }

    fn primary(&mut self, expected: Option<TypeId>) -> Parsed<Operand> {
        match self.parser.peek() {
            Kind::Number(_) => self.constant(expected),
            Kind::Defined('e', number) => match self.exprs.get(&number).copied() {
                Some(id) => {
                    self.parser.advance();
                    Ok(Operand::Value(id))
                }
                None => self.parser.error(format!("$e{number} is not defined")),
            },
            Kind::Defined('p', number) => match self.places.get(&number).copied() {
                Some(id) => {
                    self.parser.advance();
                    Ok(Operand::Place(id))
                }
                None => self.parser.error(format!("$p{number} is not defined")),
            },
            Kind::Mark("(") => {
                self.parser.advance();
                let mut operand = self.operand(strength::ANY, expected)?;
                if self.parser.take_word("as") {
                    let ty = self.parser.ty()?;
                    operand = self.seen_as(operand, ty)?;
                }
                self.parser.expect(")")?;
                Ok(operand)
            }
            Kind::Name { .. } => self.word_or_name(expected),
            _ => self.parser.expected("an expression"),
        }
    }

    /// Changes the type of the object that was just named.
    fn seen_as(&mut self, operand: Operand, ty: TypeId) -> Parsed<Operand> {
        let fresh = |id: PlaceId| id.index() + 1 == self.body.places.len();
        match operand {
            Operand::Place(id) if fresh(id) && matches!(self.body.places[id].kind, PlaceKind::Global(_) | PlaceKind::Deref(_)) => {
                self.body.places[id].ty = ty;
                Ok(operand)
            }
            _ => self.parser.error_behind("only a global, `*p` or `&f` can be seen as another type".to_string()),
        }
    }

    fn word_or_name(&mut self, expected: Option<TypeId>) -> Parsed<Operand> {
        let Some(word) = self.parser.word() else { return self.named() };
        match word {
            "true" | "false" => {
                self.parser.advance();
                let ty = self.types().bool();
                Ok(self.make(ExprKind::Int(u128::from(word == "true")), ty))
            }
            "null" | "zero" => self.typed_constant(word, expected),
            "volatile" | "nonvolatile" => self.qualified(word == "volatile"),
            "overflows" => self.overflows(),
            "same_object" => self.same_object(),
            "is_initialised" => self.initialised(),
            "heap_is_empty" => {
                self.parser.advance();
                let ty = self.types().bool();
                Ok(self.make(ExprKind::HeapEmpty, ty))
            }
            _ => {
                if let Some(query) = Query::ALL.into_iter().find(|query| query.name() == word) {
                    return self.query(query);
                }
                if let Some(op) = CALLED.into_iter().find(|op| unary_word(*op) == Some(word)) {
                    return self.called(op);
                }
                match float_format(word) {
                    Some(format) => {
                        self.parser.advance();
                        self.parser.expect("(")?;
                        let pattern = self.parser.float_pattern(format)?;
                        self.parser.expect(")")?;
                        let ty = self.types().intern(Type::Float(format));
                        Ok(self.make(ExprKind::Float(pattern), ty))
                    }
                    None => self.named(),
                }
            }
        }
    }

    fn named(&mut self) -> Parsed<Operand> {
        let name = self.parser.name()?;
        if let Some(local) = self.locals.get(&name).copied() {
            let ty = self.body.locals[local].ty;
            return Ok(self.make_place(PlaceKind::Local(local), ty));
        }
        match self.parser.symbols.get(&name).copied() {
            Some(Symbol::Global(global)) => {
                let ty = self.parser.program.globals[global].ty;
                Ok(self.make_place(PlaceKind::Global(global), ty))
            }
            Some(Symbol::Function(function)) => Ok(Operand::Function(function)),
            None => self.parser.error_behind(format!("there is no such thing as {:?}", name.0)),
        }
    }

    /// `null` and `zero`, with their type where the context does not give it.
    fn typed_constant(&mut self, word: &str, expected: Option<TypeId>) -> Parsed<Operand> {
        self.parser.advance();
        let mut address = 0;
        let ty = if self.parser.take("(") {
            let ty = self.parser.ty()?;
            if word == "null" && self.parser.take(",") {
                address = self.parser.number()?;
            }
            self.parser.expect(")")?;
            ty
        } else {
            match expected {
                Some(ty) => ty,
                None => return self.parser.expected("a type in parentheses"),
            }
        };
        Ok(self.make(if word == "zero" { ExprKind::Zero } else { ExprKind::Int(address) }, ty))
    }

    fn qualified(&mut self, volatile: bool) -> Parsed<Operand> {
        self.parser.advance();
        self.parser.expect("(")?;
        let operand = self.operand(strength::ANY, None)?;
        let place = self.place(operand)?;
        if place.index() + 1 != self.body.places.len() {
            return self.parser.error_behind("a place that has a definition is qualified there".to_string());
        }
        self.body.places[place].volatile = volatile;
        self.parser.expect(")")?;
        Ok(operand)
    }

    fn overflows(&mut self) -> Parsed<Operand> {
        self.parser.advance();
        self.parser.expect("(")?;
        let ty = self.parser.ty()?;
        self.parser.expect(",")?;
        let left = self.operand(strength::UNARY, None)?;
        let left = self.value(left)?;
        let op = match self.parser.peek() {
            Kind::Mark("+") => OverflowOp::Add,
            Kind::Mark("-") => OverflowOp::Sub,
            Kind::Mark("*") => OverflowOp::Mul,
            _ => return self.parser.expected("`+`, `-` or `*`"),
        };
        self.parser.advance();
        let right = self.operand(strength::UNARY, None)?;
        let right = self.value(right)?;
        self.parser.expect(")")?;
        let bool = self.types().bool();
        Ok(self.make(ExprKind::Overflows(op, left, right, ty), bool))
    }

    fn query(&mut self, query: Query) -> Parsed<Operand> {
        self.parser.advance();
        self.parser.expect("(")?;
        let pointer = self.expr(None)?;
        self.parser.expect(")")?;
        let answer = query.ty(self.types().target());
        let ty = self.types().intern(answer);
        Ok(self.make(ExprKind::Query(query, pointer), ty))
    }

    fn same_object(&mut self) -> Parsed<Operand> {
        self.parser.advance();
        self.parser.expect("(")?;
        let left = self.expr(None)?;
        self.parser.expect(",")?;
        let right = self.expr(None)?;
        self.parser.expect(")")?;
        let ty = self.types().bool();
        Ok(self.make(ExprKind::SameObject(left, right), ty))
    }

    fn initialised(&mut self) -> Parsed<Operand> {
        self.parser.advance();
        self.parser.expect("(")?;
        let operand = self.operand(strength::ANY, None)?;
        let place = self.place(operand)?;
        self.parser.expect(")")?;
        let ty = self.types().bool();
        Ok(self.make(ExprKind::Initialised(place), ty))
    }

    fn called(&mut self, op: UnaryOp) -> Parsed<Operand> {
        self.parser.advance();
        self.parser.expect("(")?;
        let value = self.expr(None)?;
        self.parser.expect(")")?;
        let ty = match op {
            UnaryOp::SignBit | UnaryOp::IsNan | UnaryOp::IsInfinite => self.types().bool(),
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros | UnaryOp::PopCount => self.types().int(32, true),
            _ => self.type_of(value),
        };
        Ok(self.make(ExprKind::Unary(op, value), ty))
    }

    /// A number with a sign, and with a type where the context does not give it.
    fn constant(&mut self, expected: Option<TypeId>) -> Parsed<Operand> {
        let negative = self.parser.take("-");
        let Kind::Number(text) = self.parser.peek() else { return self.parser.expected("a number") };
        let is_float = !text.starts_with("0x") && text.contains(['.', 'e', 'E']);
        let types = &self.parser.program.types;
        let constant = if is_float {
            let (digits, format) = match text.split_once('f') {
                Some((digits, bits)) => (digits, float_format(&format!("f{bits}"))),
                None => (text, Some(default_float(types, expected))),
            };
            format.and_then(|format| Some((ExprKind::Float(float_pattern(digits, negative, format)?), Type::Float(format))))
        } else {
            let suffix = if text.starts_with("0x") { None } else { text.find(['i', 'u']) };
            let (digits, ty) = match suffix {
                Some(at) => (&text[..at], int_type(&text[at..]).map(|(bits, signed)| Type::Int { bits, signed })),
                None => (text, Some(default_int(types, expected))),
            };
            ty.and_then(|ty| match ty {
                Type::Int { bits, signed } => Some((ExprKind::Int(int_pattern(digits, negative, bits, signed)?), ty)),
                _ => None,
            })
        };
        let Some((kind, ty)) = constant else {
            return self.parser.error(format!("`{text}` is no number of a type that it could have here"));
        };
        self.parser.advance();
        let ty = self.types().intern(ty);
        Ok(self.make(kind, ty))
    }
}

/// Operations that are written like calls.
const CALLED: [UnaryOp; 8] = [
    UnaryOp::LeadingZeros,
    UnaryOp::TrailingZeros,
    UnaryOp::PopCount,
    UnaryOp::ByteSwap,
    UnaryOp::FloatAbs,
    UnaryOp::SignBit,
    UnaryOp::IsNan,
    UnaryOp::IsInfinite,
];

/// Operations that are written as C writes them.
const OPERATORS: [BinaryOp; 16] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
];
