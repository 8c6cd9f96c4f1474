//! GNU's vectors: structures of an array, computed element by element.

use model::{ExprKind as Model, PlaceId, PlaceKind, UnaryOp};

use super::ctype::{CType, Ty};
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::{BinaryOp, ExprId, Range};

impl Elaborator<'_> {
    fn vector_shape(&self, ty: Ty) -> Option<(Ty, u64)> {
        match self.unit.types.get(ty) {
            CType::Vector { elem, len } => Some((*elem, *len)),
            _ => None,
        }
    }

    /// The array of a vector's elements, in a place of its own if the vector is only a value.
    fn vector_array(&mut self, value: Rvalue) -> Elaborated<PlaceId> {
        let span = self.span(value.range);
        let place = match self.unit.builder.body.exprs[value.expr].kind {
            Model::Load(place) => place,
            _ => match self.spill(value.into())?.kind {
                ValueKind::Place(place) => place,
                _ => return self.error(value.range, "a vector is needed here", ""),
            },
        };
        Ok(self.vector_elements(place, span))
    }

    fn element_at(&mut self, array: PlaceId, index: model::ExprId, elem: Ty, range: Range) -> Value {
        let (span, lowered) = (self.span(range), self.lower(elem));
        let place = self.unit.builder.place(PlaceKind::Index(array, index), lowered, false, span);
        Value { kind: ValueKind::Place(place), ty: elem.into(), range }
    }

    /// The elements of a vector; a scalar stands for as many equal ones, as its own single value.
    fn elements(&mut self, value: Rvalue, elem: Ty, len: u64) -> Elaborated<Vec<Rvalue>> {
        if self.vector_shape(value.ty).is_none() {
            let value = self.convert(value, elem);
            let value = self.fix(value);
            return Ok(vec![value; len as usize]);
        }
        let array = self.vector_array(value)?;
        let span = self.span(value.range);
        let mut elements = Vec::with_capacity(len as usize);
        for index in 0..len {
            let index = self.size_constant(index, span);
            let element = self.element_at(array, index, elem, value.range);
            elements.push(self.rvalue(element)?);
        }
        Ok(elements)
    }

    /// A vector from its elements.
    fn build_vector(&mut self, elem: Ty, elements: &[Rvalue], range: Range) -> Elaborated<Rvalue> {
        let ty = self.unit.types.intern(CType::Vector { elem, len: elements.len() as u64 });
        let (span, lowered) = (self.span(range), self.lower(ty));
        let local = self.unit.builder.local(String::new(), lowered, false, span);
        let place = self.local_place(local, span);
        let array = self.vector_elements(place, span);
        for (index, element) in elements.iter().enumerate() {
            let index = self.size_constant(index as u64, span);
            let target = self.element_at(array, index, elem, range);
            let value = self.convert(*element, elem);
            self.store(target, value, span)?;
        }
        Ok(Rvalue { expr: self.load_local(local, span), ty, range })
    }

    /// An operator on vectors of the same shape, or on a vector and a scalar. Comparisons give 0 or -1 in integers of the same width.
    pub fn vector_binary(&mut self, op: BinaryOp, a: Rvalue, b: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let Some((elem, len)) = self.vector_shape(a.ty).or_else(|| self.vector_shape(b.ty)) else {
            return self.error(range, "a vector is needed here", "");
        };
        let (other, other_len) = self.vector_shape(b.ty).unwrap_or((elem, len));
        if other_len != len {
            return self.error(range, "vectors of different lengths", "");
        }
        let (a, b) = (self.elements(a, elem, len)?, self.elements(b, other, len)?);
        let compares = matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne);
        let result = if compares { self.mask_type(elem) } else { elem };
        let mut elements = Vec::with_capacity(a.len());
        for (x, y) in a.into_iter().zip(b) {
            // Elements do not keep what promotion gave them.
            let value = self.binary(op, x, y, range)?;
            let value = if compares { self.unary(UnaryOp::Neg, value, range)? } else { value };
            elements.push(self.convert(value, result));
        }
        self.build_vector(result, &elements, range)
    }

    pub fn vector_unary(&mut self, op: UnaryOp, value: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let Some((elem, len)) = self.vector_shape(value.ty) else { return Ok(value) };
        let mut elements = Vec::new();
        for element in self.elements(value, elem, len)? {
            let element = self.unary(op, element, range)?;
            elements.push(self.convert(element, elem));
        }
        self.build_vector(elem, &elements, range)
    }

    /// The signed integer type of the same width.
    fn mask_type(&self, elem: Ty) -> Ty {
        match self.unit.types.size(elem) {
            Some(1) => Ty::SCHAR,
            Some(2) => Ty::SHORT,
            Some(4) => Ty::INT,
            Some(8) if self.unit.types.target == model::Target::Lp64 => Ty::LONG,
            Some(8) => Ty::LONGLONG,
            _ => Ty::INT128,
        }
    }

    /// Vectors of one size, and integers of that size, convert as the same bytes. `None` if the sizes differ.
    pub fn reinterpret_vector(&mut self, value: Rvalue, to: Ty) -> Elaborated<Option<Rvalue>> {
        let fits = |ty: Ty| self.unit.types.is_vector(ty) || self.unit.types.is_integer(ty);
        if !fits(value.ty) || !fits(to) || self.unit.types.size(value.ty) != self.unit.types.size(to) {
            return Ok(None);
        }
        let span = self.span(value.range);
        let spilled = self.spill(value.into())?;
        let ValueKind::Place(place) = spilled.kind else { return Ok(None) };
        let exact = self.unit.builder.body.places[place].ty;
        let exact = self.unit.program.types.pointer(exact);
        let address = self.make(Model::AddressOf(place), exact, span);
        let pointer = self.unit.types.pointer(to);
        let pointer = self.lower(pointer);
        let address = self.cast_model(address, pointer, span);
        let lowered = self.lower(to);
        let place = self.unit.builder.place(PlaceKind::Deref(address), lowered, false, span);
        Ok(Some(Rvalue { expr: self.make(Model::Load(place), lowered, span), ty: to, range: value.range }))
    }

    /// `__builtin_shuffle(v, mask)` and `__builtin_shuffle(v, w, mask)`: indices count modulo the number of elements.
    pub fn shuffle(&mut self, args: &[ExprId], range: Range) -> Elaborated<Value> {
        let mut vectors = Vec::new();
        for arg in args {
            let value = self.expr_value(*arg)?;
            vectors.push(self.fix(value));
        }
        let (Some(mask), true) = (vectors.pop(), matches!(args.len(), 2 | 3)) else {
            return self.error(range, "`__builtin_shuffle` takes one or two vectors and a mask", "");
        };
        let (Some((elem, len)), Some((index_ty, _))) = (vectors.first().and_then(|v| self.vector_shape(v.ty)), self.vector_shape(mask.ty))
        else {
            return self.error(range, "`__builtin_shuffle` takes vectors", "");
        };
        // All elements in a row, so that one index finds any of them.
        let mut all = Vec::new();
        for vector in vectors {
            all.extend(self.elements(vector, elem, len)?);
        }
        let count = all.len() as u64;
        let row = self.build_vector(elem, &all, range)?;
        let array = self.vector_array(row)?;
        let span = self.span(range);
        let mut chosen = Vec::new();
        for index in self.elements(mask, index_ty, len)? {
            let size_type = self.unit.types.size_type();
            let index = self.convert(index, size_type);
            let limit = Rvalue { expr: self.size_constant(count - 1, span), ty: size_type, range };
            let index = self.binary(BinaryOp::And, index, limit, range)?;
            let element = self.element_at(array, index.expr, elem, range);
            chosen.push(self.rvalue(element)?);
        }
        Ok(self.build_vector(elem, &chosen, range)?.into())
    }
}
