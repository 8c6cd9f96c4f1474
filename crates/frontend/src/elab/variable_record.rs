//! Structures with variable-length members (GNU). Offsets and size are computed where the structure is defined and kept like the lengths of
//! variable arrays. The model does not know such records: an object is a row of bytes, a member is found by its offset.

use model::{BinaryOp as Op, Callee, CommandKind, ExprId, ExprKind as Model, PlaceId, PlaceKind, Span, TypeId};

use super::ctype::{CField, Qual, RecordIdx, Ty};
use super::record::Placement;
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::Range;
use crate::intern::Symbol;

impl Elaborator<'_> {
    /// Places a member that has a variable length or stands behind one.
    pub fn place_variable_member(
        &mut self,
        placement: &mut Placement,
        name: Option<Symbol>,
        ty: Qual,
        align: u64,
        range: Range,
    ) -> Elaborated<()> {
        if placement.is_union {
            return self.unsupported(range, "a union with a variable-length member is");
        }
        let start = self.next_offset(placement, align, range)?;
        let size = self.size_value(ty.ty, range)?;
        let start_number = self.keep_length(start.expr);
        placement.fields.push(CField { name, ty, offset: 0, variable_offset: Some(start_number), bits: None });
        let start = self.kept_length(start_number, range)?;
        let end = self.sum(start, size.expr, self.span(range));
        placement.base = Some(self.keep_length(end));
        placement.position = 0;
        placement.align = placement.align.max(align);
        Ok(())
    }

    /// The bytes so far, rounded up to an alignment.
    fn next_offset(&mut self, placement: &Placement, align: u64, range: Range) -> Elaborated<Rvalue> {
        let (span, ty) = (self.span(range), self.unit.types.size_type());
        let bytes = u64::try_from(placement.position.div_ceil(8)).ok().filter(|bytes| *bytes <= i64::MAX as u64);
        let Some(bytes) = bytes else {
            return self.error(range, "this structure is larger than the address space", "");
        };
        let Some(base) = placement.base else {
            return Ok(self.int_constant(i128::from(bytes.next_multiple_of(align)), ty, range));
        };
        let base = self.kept_length(base, range)?;
        let padded = self.size_constant(bytes + align - 1, span);
        let padded = self.sum(base, padded, span);
        let (mask, lowered) = (self.int_constant(-i128::from(align), ty, range).expr, self.lower(ty));
        Ok(Rvalue { expr: self.fold(Op::And, padded, mask, lowered, span), ty, range })
    }

    fn sum(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let ty = self.unit.builder.body.exprs[a].ty;
        self.fold(Op::Add, a, b, ty, span)
    }

    fn keep_length(&mut self, value: ExprId) -> u32 {
        let value = self.fix_expr(value);
        self.unit.builder.add_length(value)
    }

    /// A length, offset or size by its number.
    pub fn kept_length(&mut self, number: u32, range: Range) -> Elaborated<ExprId> {
        let span = self.span(range);
        match self.variable_length(number, span) {
            Some(length) => Ok(length),
            None => self.error(range, "the size of this structure is not known here", ""),
        }
    }

    /// All members are placed: computes the size, if it is variable.
    pub fn close_variable_record(&mut self, placement: &Placement, record: RecordIdx, align: u64, range: Range) -> Elaborated<()> {
        if placement.base.is_some() {
            let size = self.next_offset(placement, align, range)?;
            self.unit.types.records[record.0 as usize].variable_size = Some(self.keep_length(size.expr));
        }
        Ok(())
    }

    /// The offset of a member in bytes, as a `size_t`.
    pub fn member_offset(&mut self, field: &CField, range: Range) -> Elaborated<ExprId> {
        match field.variable_offset {
            Some(number) => self.kept_length(number, range),
            None => {
                let span = self.span(range);
                Ok(self.size_constant(field.offset, span))
            }
        }
    }

    /// A member of a variable structure.
    pub fn variable_member(&mut self, base: Value, field: &CField, range: Range) -> Elaborated<Value> {
        let ValueKind::Place(place) = base.kind else { return self.error(range, "this has no members", "") };
        if field.bits.is_some() {
            return self.unsupported(range, "a bit-field of a structure with a variable-length member is");
        }
        let span = self.span(range);
        let offset = self.member_offset(field, range)?;
        let byte = self.unit.program.types.int(8, false);
        let byte_pointer = self.unit.program.types.pointer(byte);
        let start = self.address_as(place, byte_pointer, span);
        let address = self.make(Model::PointerAdd(start, offset), byte_pointer, span);
        let ty = field.ty.with(base.ty.q);
        let lowered = self.lower(field.ty.ty);
        let pointer = self.unit.program.types.pointer(lowered);
        let address = self.cast_model(address, pointer, span);
        let place = self.unit.builder.place(PlaceKind::Deref(address), lowered, ty.q.is_volatile, span);
        Ok(Value { kind: ValueKind::Place(place), ty, range })
    }

    /// The address of a place as a pointer of another type.
    fn address_as(&mut self, place: PlaceId, pointer: TypeId, span: Span) -> ExprId {
        let exact = self.unit.program.types.pointer(self.unit.builder.body.places[place].ty);
        let address = match self.unit.builder.body.places[place].kind {
            PlaceKind::Deref(address) => address,
            _ => self.make(Model::AddressOf(place), exact, span),
        };
        self.cast_model(address, pointer, span)
    }

    /// `a = b` for variable structures: their bytes are copied.
    pub fn copy_variable_record(&mut self, to: Value, from: Value, range: Range) -> Elaborated<Value> {
        let (ValueKind::Place(dst), ValueKind::Place(src), true) = (to.kind, from.kind, to.ty.ty == from.ty.ty) else {
            return self.error(range, "these types do not fit together", "");
        };
        let function = self.library_function("memmove", range);
        let Some(Value { kind: ValueKind::Function(function), .. }) = function else {
            return self.unsupported(range, "copying a structure with a variable-length member is");
        };
        let (span, size) = (self.span(range), self.size_value(to.ty.ty, range)?);
        let void = self.unit.program.types.void();
        let pointer = self.unit.program.types.pointer(void);
        let args = vec![self.address_as(dst, pointer, span), self.address_as(src, pointer, span), size.expr];
        self.emit(CommandKind::Call { dst: None, callee: Callee::Direct(function), args }, span);
        Ok(to)
    }

    /// Copies a variable structure to memory that lives as long as the call.
    pub fn keep_variable_record(&mut self, value: Value) -> Elaborated<Value> {
        let (span, range) = (self.span(value.range), value.range);
        let size = self.size_value(value.ty.ty, range)?;
        let ty = self.unit.types.pointer(value.ty.ty);
        let lowered = self.lower(ty);
        let local = self.temporary(lowered, span);
        let place = self.local_place(local, span);
        self.emit(CommandKind::Alloca(place, size.expr), span);
        let copy = Rvalue { expr: self.load_local(local, span), ty, range };
        let copy = self.dereference(copy.into(), range)?;
        self.copy_variable_record(copy, value, range)
    }

    /// What a variable object is made of: for structures, units of their alignment.
    pub fn variable_storage(&mut self, ty: Ty) -> TypeId {
        let mut inner = ty;
        while let Some((elem, _)) = self.unit.types.element(inner) {
            inner = elem.ty;
        }
        if self.unit.types.variable_size(inner).is_none() {
            return self.lower(ty);
        }
        let unit = self.unit.types.align(inner).min(16) as u16;
        let unit = self.unit.program.types.int(8 * unit, false);
        self.unit.program.types.array(unit, None)
    }
}
