//! The model's types of C types.

use model::{RecordId, Type, TypeId, Types};

use super::{CType, CTypes, Len, Ty};

impl CTypes {
    /// The model's type for a C type.
    pub fn lower(&mut self, ty: Ty, types: &mut Types) -> TypeId {
        if let Some(id) = self.lowered[ty.0 as usize] {
            return id;
        }
        let lowered = match self.get(ty).clone() {
            CType::Void => Type::Void,
            CType::Bool => Type::Bool,
            CType::Int(_) | CType::Bits { .. } => {
                let (bits, signed) = self.int_shape(ty).unwrap_or((32, true));
                Type::Int { bits, signed }
            }
            CType::Enum(e) => {
                // An incomplete enumeration may still be completed: its type is not remembered.
                let underlying = self.enums[e.0 as usize].underlying;
                return self.lower(underlying.unwrap_or(Ty::UINT), types);
            }
            CType::Float(format) => Type::Float(format),
            CType::Complex(part) => Type::Record(self.complex_record(part, types)),
            CType::Pointer(to) => Type::Pointer(self.lower(to.ty, types)),
            // A variable-length array of variable-length arrays is one row of its innermost elements; the strides are explicit.
            CType::Array { elem, .. } if self.is_variable(elem.ty) => return self.lower(elem.ty, types),
            CType::Array { elem, len } => {
                let elem = self.lower(elem.ty, types);
                Type::Array { elem, len: if let Len::Fixed(len) = len { Some(len) } else { None } }
            }
            CType::Record(record) => Type::Record(self.record(record).model),
            CType::Vector { elem, len } => Type::Record(self.vector_record(elem, len, types)),
            CType::Function(signature) => {
                let ret = self.lower(signature.ret.ty, types);
                let params = signature.params.iter().map(|param| self.lower(param.ty, types)).collect();
                Type::Function { ret, params, variadic: signature.variadic || !signature.prototype }
            }
        };
        let id = types.intern(lowered);
        self.lowered[ty.0 as usize] = Some(id);
        id
    }

    /// A vector is a structure that holds an array, so that it can be passed, returned and assigned.
    fn vector_record(&mut self, elem: Ty, len: u64, types: &mut Types) -> RecordId {
        if let Some(&record) = self.vectors.get(&(elem, len)) {
            return record;
        }
        let lowered = self.lower(elem, types);
        let array = types.array(lowered, Some(len));
        let size = self.size(elem).unwrap_or(1).saturating_mul(len);
        let field = model::Field { name: "elements".into(), ty: array, offset: 0, bit: None };
        let record = types.add_record(model::Record {
            kind: model::RecordKind::Struct,
            name: String::new(),
            layout: Some(model::Layout { fields: vec![field], size, align: size }),
            span: model::Span::NONE,
        });
        self.vectors.insert((elem, len), record);
        record
    }

    /// A complex number is a structure of its real and imaginary part.
    fn complex_record(&mut self, part: Ty, types: &mut Types) -> RecordId {
        let ty = self.lower(part, types);
        if let Some(&record) = self.complex.get(&ty) {
            return record;
        }
        let (size, align) = (self.size(part).unwrap_or(1), self.align(part));
        let field = |name: &str, offset| model::Field { name: name.into(), ty, offset, bit: None };
        let layout = model::Layout { fields: vec![field("real", 0), field("imag", size)], size: 2 * size, align };
        let name = match types.get(ty) {
            Type::Float(format) => format.name().to_string(),
            Type::Int { bits, signed } => format!("{}{bits}", if *signed { "i" } else { "u" }),
            _ => String::new(),
        };
        let record = types.add_record(model::Record {
            kind: model::RecordKind::Struct,
            name: format!("complex {name}"),
            layout: Some(layout),
            span: model::Span::NONE,
        });
        self.complex.insert(ty, record);
        record
    }
}
