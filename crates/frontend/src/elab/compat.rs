//! Compatible and composite types (C17 6.2.7).

use super::ctype::{CType, CTypes, Len, Qual, Signature, Ty};

impl CTypes {
    /// Whether two types, qualifiers included, may declare the same thing.
    pub fn compatible_qualified(&self, a: Qual, b: Qual) -> bool {
        let (mut p, mut q) = (a.q, b.q);
        // `restrict` says nothing about the object's type.
        p.is_restrict = false;
        q.is_restrict = false;
        p == q && self.compatible(a.ty, b.ty)
    }

    /// Whether two types may declare the same thing.
    pub fn compatible(&self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (CType::Pointer(a), CType::Pointer(b)) => self.compatible_qualified(*a, *b),
            (CType::Array { elem: e, len: m }, CType::Array { elem: f, len: n }) => {
                let lengths = match (m, n) {
                    (Len::Fixed(m), Len::Fixed(n)) => m == n,
                    _ => true,
                };
                lengths && self.compatible_qualified(*e, *f)
            }
            (CType::Function(f), CType::Function(g)) => self.compatible_signatures(f, g),
            (CType::Enum(e), _) => self.enums[e.0 as usize].underlying.is_some_and(|ty| ty == b),
            (_, CType::Enum(e)) => self.enums[e.0 as usize].underlying.is_some_and(|ty| ty == a),
            _ => false,
        }
    }

    fn compatible_signatures(&self, f: &Signature, g: &Signature) -> bool {
        if !self.compatible(f.ret.ty, g.ret.ty) {
            return false;
        }
        match (f.prototype, g.prototype) {
            (true, true) => {
                f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params.iter().zip(&g.params).all(|(p, q)| {
                        self.compatible(p.ty, q.ty)
                            || self.is_member_of_transparent(p.ty, q.ty)
                            || self.is_member_of_transparent(q.ty, p.ty)
                    })
            }
            // An old-style definition has parameters without being a prototype; its calls were not checked anyway.
            _ => true,
        }
    }

    /// Whether a parameter is a transparent union (GNU) that the other parameter's type is a member of.
    fn is_member_of_transparent(&self, union: Ty, ty: Ty) -> bool {
        let Some(record) = self.as_record(union).map(|record| self.record(record)).filter(|record| record.transparent) else {
            return false;
        };
        record.fields.iter().flatten().any(|field| self.compatible(field.ty.ty, ty))
    }

    /// The type that both declarations together give. Both must be compatible.
    pub fn composite(&mut self, a: Ty, b: Ty) -> Ty {
        if a == b {
            return a;
        }
        match (self.get(a).clone(), self.get(b).clone()) {
            (CType::Array { elem: e, len: m }, CType::Array { elem: f, len: n }) => {
                let elem = Qual::new(self.composite(e.ty, f.ty), e.q);
                let len = match (m, n) {
                    (Len::Fixed(_), _) => m,
                    (_, Len::Fixed(_)) => n,
                    (Len::Variable(_), _) => m,
                    _ => n,
                };
                self.array(elem, len)
            }
            (CType::Pointer(to), CType::Pointer(from)) => {
                let ty = self.composite(to.ty, from.ty);
                self.pointer(Qual::new(ty, to.q))
            }
            (CType::Function(f), CType::Function(g)) => {
                if f.prototype != g.prototype {
                    return if f.prototype { a } else { b };
                }
                if !f.prototype {
                    return if f.params.is_empty() { b } else { a };
                }
                let ret = Qual::new(self.composite(f.ret.ty, g.ret.ty), f.ret.q);
                let params = f.params.iter().zip(&g.params).map(|(p, q)| Qual::new(self.composite(p.ty, q.ty), p.q)).collect();
                self.intern(CType::Function(Signature { ret, params, variadic: f.variadic, prototype: true }))
            }
            // An enumeration tells more than its integer type; a transparent union is passed as its member.
            (_, CType::Enum(_)) => b,
            (CType::Record(_), _) => b,
            _ => a,
        }
    }
}
