//! Conversions, those between pointers and integers among them.

use logic::{Sort, Term};
use model::{ExprId, FunctionId, Type, TypeId};

use crate::encoder::Encoder;
use crate::scalar::{self, OBJECT, OFFSET, Pointer, Scalar, pointer_bits};
use crate::state::State;

/// Sums of more terms than this are not looked through.
const SUMMANDS: u32 = 64;

impl Encoder<'_> {
    /// A value converted to another type.
    pub(crate) fn cast(&mut self, state: &mut State, value: Scalar, from: TypeId, to: TypeId, source: (FunctionId, ExprId)) -> Scalar {
        let types = &self.program.types;
        match (value, types.get(from), types.get(to)) {
            (Scalar::Pointer(pointer), _, Type::Pointer(_)) => Scalar::Pointer(pointer),
            (Scalar::Pointer(pointer), _, _) => {
                let width = u32::from(types.bits(to).unwrap_or(64));
                let address = self.address(pointer);
                let result = self.terms.resize(address, width, false);
                if width >= pointer_bits(types.target()) {
                    self.casts.insert(result, pointer);
                }
                Scalar::Term(result)
            }
            (Scalar::Term(term), _, Type::Pointer(_)) => self.pointer_from(state, term, from, source),
            (Scalar::Term(term), Type::Bool, Type::Float(format)) => {
                let bit = self.terms.bit(term);
                Scalar::Term(self.terms.float_from_int(bit, false, *format))
            }
            (Scalar::Term(term), Type::Bool, _) => {
                let bit = self.terms.bit(term);
                let width = u32::from(types.bits(to).unwrap_or(1));
                Scalar::Term(self.terms.resize(bit, width, false))
            }
            (Scalar::Term(term), Type::Int { signed, .. }, Type::Float(format)) => {
                Scalar::Term(self.terms.float_from_int(term, *signed, *format))
            }
            (Scalar::Term(term), Type::Float(_), Type::Float(format)) => Scalar::Term(self.terms.float_convert(term, *format)),
            (Scalar::Term(term), Type::Float(_), Type::Int { bits, signed }) => {
                Scalar::Term(self.truncated(term, *signed, u32::from(*bits)))
            }
            (Scalar::Term(term), Type::Int { signed, .. }, _) => {
                let width = u32::from(types.bits(to).unwrap_or(1));
                Scalar::Term(self.terms.resize(term, width, *signed))
            }
            (value, ..) => value,
        }
    }

    /// The address of a pointer as an integer. Where objects lie is not known: an uninterpreted function of the object, so nothing that depends on
    /// it is ever proved; integers that lead nowhere are themselves.
    pub(crate) fn address(&mut self, pointer: Pointer) -> Term {
        let width = pointer_bits(self.program.types.target());
        let Encoder { terms, addresses, .. } = self;
        let none = terms.zero(OBJECT);
        let nowhere = terms.equal(pointer.object, none);
        let offset = terms.resize(pointer.offset, width, true);
        if terms.as_bool(nowhere) == Some(true) {
            return offset;
        }
        let base = terms.call("address of object", &[pointer.object], width);
        addresses.insert(base, pointer.object);
        let inside = terms.add(base, offset);
        terms.ite(nowhere, offset, inside)
    }

    /// The pointer that an integer becomes: the one that it was made of, or one with this address among the objects that the analysis knows it may
    /// belong to, or one that leads nowhere.
    fn pointer_from(&mut self, state: &mut State, term: Term, from: TypeId, (function, expr): (FunctionId, ExprId)) -> Scalar {
        let width = pointer_bits(self.program.types.target());
        if let Some(&pointer) = self.casts.get(&term) {
            return Scalar::Pointer(pointer);
        }
        let signed = self.program.types.is_signed(from);
        let term = match self.program.types.get(from) {
            Type::Bool => self.terms.bit(term),
            _ => term,
        };
        let address = self.terms.resize(term, width, signed);
        if let Some(&pointer) = self.casts.get(&address) {
            return Scalar::Pointer(pointer);
        }
        if let Some(pointer) = self.moved_address(address) {
            return Scalar::Pointer(pointer);
        }
        let targets = self.analysis.targets(function, expr);
        if targets.is_empty() {
            // The offset of what leads nowhere is its address, as far as offsets go.
            let wide = self.terms.resize(address, width.max(OFFSET), true);
            let offset = self.terms.extract(wide, OFFSET - 1, 0);
            return Scalar::Pointer(Pointer::nowhere(&mut self.terms, offset));
        }
        let Scalar::Pointer(pointer) = self.havoc_pointer(state, &targets, "address") else {
            return Scalar::Term(self.terms.fresh("address", Sort::Bits(width)));
        };
        // An address beyond the range of offsets may belong to no object and still be one: then nothing is known.
        let back = self.address(pointer);
        let same = self.terms.equal(back, address);
        let wide = self.terms.resize(address, width.max(OFFSET), true);
        let low = self.terms.extract(wide, OFFSET - 1, 0);
        let low = self.terms.resize(low, width.max(OFFSET), true);
        let near = self.terms.equal(low, wide);
        let known = self.terms.implies(near, same);
        self.grant(state, known);
        Scalar::Pointer(pointer)
    }

    /// The pointer that an integer is which was computed by adding to one address: what lies in its object at that distance. Further away there
    /// may be another object, but an access there is out of bounds all the same.
    fn moved_address(&mut self, address: Term) -> Option<Pointer> {
        let mut found = None;
        let mut open = vec![address];
        let mut steps = 0;
        while let Some(term) = open.pop() {
            steps += 1;
            let zero = self.terms.zero(OFFSET);
            let pointer = match (self.casts.get(&term), self.addresses.get(&term)) {
                (Some(&pointer), _) => Some(pointer),
                (None, Some(&object)) => Some(Pointer { object, offset: zero }),
                (None, None) => None,
            };
            match pointer {
                Some(pointer) if found.is_none() => found = Some((term, pointer)),
                Some(_) => return None,
                None if self.terms.op(term) == logic::Op::Add && steps < SUMMANDS => open.extend_from_slice(self.terms.args(term)),
                None => {}
            }
        }
        let (term, pointer) = found?;
        let distance = self.terms.sub(address, term);
        // A distance that depends on addresses may lead from one object to another.
        if self.terms.cone(&[distance]).iter().any(|part| self.addresses.contains_key(part)) {
            return None;
        }
        let offset = scalar::moved(&mut self.terms, pointer.offset, distance, true, 1);
        Some(Pointer { object: pointer.object, offset })
    }

    /// The zero of a type.
    pub(crate) fn zero_scalar(&mut self, ty: TypeId) -> Scalar {
        scalar::zero(&mut self.terms, &self.program.types, ty)
    }

    /// A floating-point number without its fraction. If it does not fit, that is undefined, and what comes of it is anything, because machines differ.
    fn truncated(&mut self, float: Term, signed: bool, width: u32) -> Term {
        let (fits, number) = (self.terms.float_fits_int(float, signed, width), self.terms.float_to_int(float, signed, width));
        if self.terms.as_bool(fits) == Some(true) {
            return number;
        }
        let anything = self.terms.fresh("converted", Sort::Bits(width));
        self.terms.ite(fits, number, anything)
    }
}
