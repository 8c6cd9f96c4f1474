//! Conversions: every one that C makes silently becomes an expression here.

use model::{CommandKind, ExprKind, PlaceKind};

use super::ctype::{CType, IntKind, Qual, Ty};
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::{Qualifiers, Range};

impl Elaborator<'_> {
    /// Integer promotion (C17 6.3.1.1p2).
    pub fn promoted_type(&self, ty: Ty) -> Ty {
        match self.unit.types.get(ty) {
            CType::Bool => Ty::INT,
            CType::Int(kind) if *kind < IntKind::Int => Ty::INT,
            CType::Enum(_) => match self.unit.types.int_shape(ty) {
                Some((32, false)) => Ty::UINT,
                Some((64, false)) => self.wide_enum(false),
                Some((64, true)) => self.wide_enum(true),
                _ => Ty::INT,
            },
            _ => ty,
        }
    }

    fn wide_enum(&self, signed: bool) -> Ty {
        match (self.unit.types.target, signed) {
            (model::Target::Lp64, true) => Ty::LONG,
            (model::Target::Lp64, false) => Ty::ULONG,
            (model::Target::Ilp32, true) => Ty::LONGLONG,
            (model::Target::Ilp32, false) => Ty::ULONGLONG,
        }
    }

    pub fn promote(&mut self, value: Rvalue) -> Rvalue {
        self.convert(value, self.promoted_type(value.ty))
    }

    /// The type of both operands of an arithmetic operator (C17 6.3.1.8), complex types left aside.
    pub fn common_type(&self, a: Ty, b: Ty) -> Ty {
        let types = &self.unit.types;
        match (types.get(a), types.get(b)) {
            (CType::Float(x), CType::Float(y)) => return if x >= y { a } else { b },
            (CType::Float(_), _) => return a,
            (_, CType::Float(_)) => return b,
            _ => {}
        }
        let (a, b) = (self.promoted_type(a), self.promoted_type(b));
        if a == b {
            return a;
        }
        let (Some((bits_a, signed_a)), Some((bits_b, signed_b))) = (types.int_shape(a), types.int_shape(b)) else { return a };
        let (rank_a, rank_b) = (self.rank(a), self.rank(b));
        if signed_a == signed_b {
            return if rank_a >= rank_b { a } else { b };
        }
        let (unsigned, unsigned_rank, signed, signed_rank, wider) =
            if signed_b { (a, rank_a, b, rank_b, bits_b > bits_a) } else { (b, rank_b, a, rank_a, bits_a > bits_b) };
        if unsigned_rank >= signed_rank {
            unsigned
        } else if wider {
            signed
        } else {
            self.unsigned_version(signed)
        }
    }

    fn rank(&self, ty: Ty) -> u32 {
        let bits = u32::from(self.unit.types.int_shape(ty).map_or(0, |shape| shape.0));
        let step = match self.unit.types.get(ty) {
            CType::Int(IntKind::LongLong | IntKind::ULongLong) => 2,
            CType::Int(IntKind::Long | IntKind::ULong) => 1,
            _ => 0,
        };
        4 * bits + step
    }

    fn unsigned_version(&self, ty: Ty) -> Ty {
        match self.unit.types.get(ty) {
            CType::Int(IntKind::Int) => Ty::UINT,
            CType::Int(IntKind::Long) => Ty::ULONG,
            CType::Int(IntKind::LongLong) => Ty::ULONGLONG,
            CType::Int(IntKind::Int128) => Ty::UINT128,
            _ => ty,
        }
    }

    /// Converts between types that C lets convert, silently or by a cast. The caller has checked that.
    pub fn convert(&mut self, value: Rvalue, to: Ty) -> Rvalue {
        if value.ty == to {
            return value;
        }
        let span = self.span(value.range);
        let done = |expr| Rvalue { expr, ty: to, range: value.range };
        if self.unit.types.is_complex(value.ty) || self.unit.types.is_complex(to) {
            return self.convert_complex(value, to);
        }
        let lowered = self.lower(to);
        if !self.unit.types.is_scalar(to) || !self.unit.types.is_scalar(value.ty) {
            // Records of one type under two qualifications, arrays taken apart elsewhere: the value stays as it is.
            return done(value.expr);
        }
        if let ExprKind::Float(bits) = self.unit.builder.body.exprs[value.expr].kind
            && let (CType::Float(from), CType::Float(into)) = (self.unit.types.get(value.ty), self.unit.types.get(to))
        {
            let bits = super::float::convert(*from, *into, bits);
            return done(self.make(ExprKind::Float(bits), lowered, span));
        }
        if let (Some(bits), CType::Float(format)) = (self.known_int(value.expr), self.unit.types.get(to))
            && self.unit.types.is_integer(value.ty)
        {
            let format = *format;
            let (width, signed) = self.unit.types.int_shape(value.ty).unwrap_or((32, true));
            let bits = super::float::from_int(format, bits, width, signed);
            return done(self.make(ExprKind::Float(bits), lowered, span));
        }
        // Pointers extend like unsigned integers; C's integers extend to a pointer by their own sign.
        let mut expr = value.expr;
        if self.unit.types.is_pointer(to) && self.unit.types.is_integer(value.ty) {
            let address = if self.unit.types.int_shape(value.ty).is_some_and(|(_, signed)| signed) {
                self.unit.types.difference_type()
            } else {
                self.unit.types.size_type()
            };
            let address = self.lower(address);
            expr = self.cast_model(expr, address, span);
        }
        // GCC extends a pointer that is cast to a wider integer by sign on i386; it says so in its manual.
        if self.unit.types.is_pointer(value.ty) && self.unit.types.int_shape(to).is_some_and(|(bits, _)| bits > 1) {
            let address = self.unit.types.difference_type();
            let address = self.lower(address);
            expr = self.cast_model(expr, address, span);
        }
        done(self.cast_model(expr, lowered, span))
    }

    /// Converts as if by assignment (C17 6.5.16.1): to the type of an object, a parameter or a result. What GCC only warns about is let through.
    pub fn convert_for_assignment(&mut self, value: Value, to: Ty) -> Elaborated<Rvalue> {
        if let Some(wrapped) = self.transparent_union(value, to)? {
            return Ok(wrapped);
        }
        let value = self.rvalue(value)?;
        let from = value.ty;
        let types = &self.unit.types;
        let fits = from == to
            || (types.is_arithmetic(from) && types.is_arithmetic(to))
            || (types.is_pointer(to) && (types.is_pointer(from) || types.is_integer(from)))
            || (types.is_pointer(from) && types.is_integer(to));
        if !fits
            && (types.is_vector(from) || types.is_vector(to))
            && let Some(same_bytes) = self.reinterpret_vector(value, to)?
        {
            return Ok(same_bytes);
        }
        if !fits {
            let (from, to) = (self.type_name(from), self.type_name(to));
            return self.error(value.range, format!("a `{from}` cannot become a `{to}`"), format!("has type `{from}`"));
        }
        self.warn_mixed(value, to);
        Ok(self.convert(value, to))
    }

    /// Pointers and integers mix only by cast; compilers let it pass with a warning.
    fn warn_mixed(&mut self, value: Rvalue, to: Ty) {
        let types = &self.unit.types;
        let to_pointer = types.is_pointer(to) && types.is_integer(value.ty) && self.known_int(value.expr) != Some(0);
        let from_pointer = types.is_pointer(value.ty) && types.is_integer(to) && to != Ty::BOOL;
        if to_pointer || from_pointer {
            let (from, to) = (self.type_name(value.ty), self.type_name(to));
            self.warning(value.range, format!("`{from}` is converted to `{to}` without a cast"));
        }
    }

    /// A parameter of GNU's transparent union type takes a value of any member's type.
    fn transparent_union(&mut self, value: Value, to: Ty) -> Elaborated<Option<Rvalue>> {
        let Some(record) = self.unit.types.as_record(to) else { return Ok(None) };
        if !self.unit.types.record(record).transparent || value.ty.ty == to {
            return Ok(None);
        }
        let value = self.rvalue(value)?;
        let fields = self.unit.types.record(record).fields.clone().unwrap_or_default();
        let is_null = self.known_int(value.expr) == Some(0);
        let matching = fields.iter().position(|field| self.unit.types.compatible(field.ty.ty, value.ty));
        let index = matching.or_else(|| fields.iter().position(|field| self.accepts_pointer(field.ty.ty, value.ty, is_null)));
        let Some(index) = index else {
            let name = self.type_name(value.ty);
            return self.error(value.range, format!("no member of the transparent union takes a `{name}`"), "");
        };
        let span = self.span(value.range);
        let converted = self.convert(value, fields[index].ty.ty);
        let union_ty = self.lower(to);
        let field_ty = self.lower(fields[index].ty.ty);
        let local = self.unit.builder.local(String::new(), union_ty, false, span);
        let place = self.local_place(local, span);
        let field = self.unit.builder.place(PlaceKind::Field(place, index as u32), field_ty, false, span);
        self.emit(CommandKind::Assign { dst: field, src: converted.expr }, span);
        Ok(Some(Rvalue { expr: self.load_local(local, span), ty: to, range: value.range }))
    }

    fn accepts_pointer(&self, member: Ty, value: Ty, is_null: bool) -> bool {
        let types = &self.unit.types;
        let to_void = types.pointee(member).is_some_and(|to| to.ty == Ty::VOID);
        let from_void = types.pointee(value).is_some_and(|to| to.ty == Ty::VOID);
        let same = match (types.pointee(member), types.pointee(value)) {
            (Some(a), Some(b)) => types.compatible(a.ty, b.ty),
            _ => false,
        };
        types.is_pointer(member) && (same || (types.is_pointer(value) && (to_void || from_void)) || is_null)
    }

    /// An explicit cast (C17 6.5.4).
    pub fn cast(&mut self, value: Value, to: Qual) -> Elaborated<Value> {
        let range = value.range;
        if to.ty == Ty::VOID {
            return Ok(Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range });
        }
        if let Some(record) = self.unit.types.as_record(to.ty) {
            return self.cast_to_record(value, to.ty, record);
        }
        let value = self.rvalue(value)?;
        let types = &self.unit.types;
        let fits = value.ty == to.ty
            || (types.is_arithmetic(value.ty) && types.is_arithmetic(to.ty))
            || (types.is_pointer(to.ty) && (types.is_pointer(value.ty) || types.is_integer(value.ty)))
            || (types.is_pointer(value.ty) && types.is_integer(to.ty));
        if fits {
            return Ok(self.convert(value, to.ty).into());
        }
        if (types.is_vector(value.ty) || types.is_vector(to.ty))
            && let Some(same_bytes) = self.reinterpret_vector(value, to.ty)?
        {
            return Ok(same_bytes.into());
        }
        let (from, to) = (self.type_name(value.ty), self.type_name(to.ty));
        self.error(range, format!("a `{from}` cannot be cast to `{to}`"), format!("has type `{from}`"))
    }

    /// GNU: a cast to a union makes one of its members; a cast to the record's own type does nothing.
    fn cast_to_record(&mut self, value: Value, to: Ty, record: super::ctype::RecordIdx) -> Elaborated<Value> {
        if value.ty.ty == to {
            return Ok(value);
        }
        let range = value.range;
        let value = self.rvalue(value)?;
        let fields = self.unit.types.record(record).fields.clone().unwrap_or_default();
        let is_union = self.unit.types.record(record).is_union;
        let Some(index) = fields.iter().position(|field| is_union && self.unit.types.compatible(field.ty.ty, value.ty)) else {
            let (from, to) = (self.type_name(value.ty), self.type_name(to));
            return self.error(range, format!("a `{from}` cannot be cast to `{to}`"), "");
        };
        let span = self.span(range);
        let union_ty = self.lower(to);
        let field_ty = self.unit.builder.body.exprs[value.expr].ty;
        let local = self.unit.builder.local(String::new(), union_ty, false, span);
        let place = self.local_place(local, span);
        let zero = self.make(ExprKind::Zero, union_ty, span);
        self.emit(CommandKind::Assign { dst: place, src: zero }, span);
        let field = self.unit.builder.place(PlaceKind::Field(place, index as u32), field_ty, false, span);
        self.emit(CommandKind::Assign { dst: field, src: value.expr }, span);
        Ok(Value { kind: ValueKind::Place(place), ty: to.into(), range })
    }

    /// The default argument promotions (C17 6.5.2.2p6), for arguments that no prototype speaks of.
    pub fn default_promotion(&mut self, value: Value) -> Elaborated<Rvalue> {
        let value = self.rvalue(value)?;
        let to = match self.unit.types.get(value.ty) {
            CType::Float(model::FloatFormat::F32) => Ty::DOUBLE,
            CType::Bits { .. } => {
                let (bits, signed) = self.unit.types.int_shape(value.ty).unwrap_or((32, true));
                if bits > 64 { [Ty::UINT128, Ty::INT128][usize::from(signed)] } else { [Ty::ULONGLONG, Ty::LONGLONG][usize::from(signed)] }
            }
            _ => self.promoted_type(value.ty),
        };
        Ok(self.convert(value, to))
    }

    /// The condition of a branch: whether a scalar is not zero.
    pub fn truth(&mut self, value: Value) -> Elaborated<model::ExprId> {
        let value = self.rvalue(value)?;
        let span = self.span(value.range);
        if self.unit.types.is_complex(value.ty) {
            return self.complex_truth(value);
        }
        if self.unit.types.is_vector(value.ty) {
            return self.unsupported(value.range, "vector arithmetic is");
        }
        if !self.unit.types.is_scalar(value.ty) {
            let name = self.type_name(value.ty);
            return self.error(value.range, "a condition must be a number or a pointer", format!("has type `{name}`"));
        }
        Ok(self.nonzero(value.expr, span))
    }

    /// The `int` that a `Bool` of the model is for C.
    pub fn truth_value(&mut self, condition: model::ExprId, range: Range) -> Rvalue {
        let span = self.span(range);
        let int = self.lower(Ty::INT);
        Rvalue { expr: self.cast_model(condition, int, span), ty: Ty::INT, range }
    }

    /// Whether an operand is a null pointer constant (C17 6.3.2.3p3).
    pub fn is_null_constant(&self, value: &Rvalue) -> bool {
        self.known_int(value.expr) == Some(0)
            && (self.unit.types.is_integer(value.ty)
                || self.unit.types.pointee(value.ty).is_some_and(|to| to.ty == Ty::VOID && to.q == Qualifiers::default()))
    }
}
