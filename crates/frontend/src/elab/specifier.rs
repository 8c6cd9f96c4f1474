//! From declaration specifiers and type names to types.

use model::FloatFormat;

use super::ctype::{CField, CRecord, CType, IntKind, Len, Qual, Ty};
use super::scope::Entity;
use super::{Elaborated, Elaborator};
use crate::ast::{Alignas, Attribute, BasicType, ExprKind, Range, Specifiers, TypeNameId, TypeSpecifier};

impl Elaborator<'_> {
    /// The type that specifiers name, attributes included. `alone` tells that no declarator follows, so that `struct s;` declares a new `s`.
    pub fn specified_type(&mut self, specifiers: &Specifiers, alone: bool) -> Elaborated<Qual> {
        let range = specifiers.range;
        let ty: Qual = match &specifiers.ty {
            TypeSpecifier::Missing => Ty::INT.into(),
            TypeSpecifier::Basic(basic) => self.basic_type(*basic, range)?.into(),
            TypeSpecifier::Complex(part) => {
                let part = self.basic_type(*part, range)?;
                self.unit.types.complex(part).into()
            }
            TypeSpecifier::Typedef(name) => match self.unit.names.get(*name) {
                Some(Entity::Typedef(ty)) => ty,
                _ => {
                    let name = self.name(*name).to_string();
                    return self.error(range, format!("`{name}` is not a type"), "unknown type name");
                }
            },
            TypeSpecifier::Record(record) => self.record_specifier(record, alone)?.into(),
            TypeSpecifier::Enum(e) => self.enum_specifier(e)?.into(),
            TypeSpecifier::TypeofExpr(expr, unqualified) => {
                let expr = *expr;
                let value = self.evaluated_if_variable(|this| this.expr(expr), |value| value.ty.ty)?;
                // `*f` of a function pointer is kept as the pointer; its type is the function's.
                let ty = match &self.ast.exprs[expr].kind {
                    ExprKind::Unary(crate::ast::UnaryOp::Deref, _) => {
                        let to = self.unit.types.pointee(value.ty.ty).filter(|to| self.unit.types.is_function(to.ty));
                        to.filter(|_| matches!(value.kind, super::value::ValueKind::Expr(_))).unwrap_or(value.ty)
                    }
                    _ => value.ty,
                };
                if *unqualified { ty.ty.into() } else { ty }
            }
            TypeSpecifier::TypeofType(name, unqualified) => {
                let ty = self.type_of_name(*name)?;
                if *unqualified { ty.ty.into() } else { ty }
            }
            TypeSpecifier::Atomic(name) => {
                let mut ty = self.type_of_name(*name)?;
                ty.q.is_atomic = true;
                ty
            }
            TypeSpecifier::Auto => return self.error(range, "a type is missing: it can be deduced only from one initialiser", ""),
        };
        let ty = ty.with(specifiers.qualifiers);
        self.apply_type_attributes(ty, &specifiers.attributes)
    }

    /// `mode` and `vector_size` change the type itself.
    pub fn apply_type_attributes(&mut self, ty: Qual, attributes: &[Attribute]) -> Elaborated<Qual> {
        let mut ty = ty;
        for attribute in attributes {
            match self.session.names.name(attribute.name) {
                "mode" => ty = self.machine_mode(ty, attribute)?,
                "vector_size" => ty = self.vector_of(ty, attribute)?,
                _ => {}
            }
        }
        Ok(ty)
    }

    fn machine_mode(&mut self, ty: Qual, attribute: &Attribute) -> Elaborated<Qual> {
        let mode = match attribute.args.first().map(|arg| &self.ast.exprs[*arg].kind) {
            Some(ExprKind::Ident(name)) => self.name(*name).trim_matches('_').to_string(),
            _ => return Ok(ty),
        };
        let unsigned = self.unit.types.int_shape(ty.ty).is_some_and(|(_, signed)| !signed);
        let pick = |signed: Ty, other: Ty| if unsigned { other } else { signed };
        let long = self.unit.types.target == model::Target::Lp64;
        let (word, unsigned_word) = if long { (Ty::LONG, Ty::ULONG) } else { (Ty::INT, Ty::UINT) };
        let (double, unsigned_double) = if long { (Ty::LONG, Ty::ULONG) } else { (Ty::LONGLONG, Ty::ULONGLONG) };
        let ty_of_mode = match &mode[..] {
            "QI" | "byte" => pick(Ty::SCHAR, Ty::UCHAR),
            "HI" => pick(Ty::SHORT, Ty::USHORT),
            "SI" => pick(Ty::INT, Ty::UINT),
            "DI" => pick(double, unsigned_double),
            "TI" => pick(Ty::INT128, Ty::UINT128),
            "word" | "pointer" | "unwind_word" => pick(word, unsigned_word),
            "SF" => Ty::FLOAT,
            "DF" => Ty::DOUBLE,
            "XF" => Ty::LDOUBLE,
            "TF" => Ty::FLOAT128,
            "SC" => self.unit.types.complex(Ty::FLOAT),
            "DC" => self.unit.types.complex(Ty::DOUBLE),
            "XC" => self.unit.types.complex(Ty::LDOUBLE),
            _ => return self.unsupported(attribute.range, format!("the machine mode `{mode}` is")),
        };
        Ok(Qual::new(ty_of_mode, ty.q))
    }

    fn vector_of(&mut self, ty: Qual, attribute: &Attribute) -> Elaborated<Qual> {
        let Some(&size) = attribute.args.first() else { return Ok(ty) };
        let (bytes, _) = self.integer_constant(size, "the size of a vector")?;
        let elem = self.unit.types.size(ty.ty).filter(|_| self.unit.types.is_real(ty.ty));
        match (u64::try_from(bytes), elem) {
            (Ok(bytes), Some(elem)) if bytes > 0 && bytes % elem == 0 => {
                let vector = self.unit.types.intern(CType::Vector { elem: ty.ty, len: bytes / elem });
                Ok(Qual::new(vector, ty.q))
            }
            _ => self.error(attribute.range, "this is no size for a vector of this type", ""),
        }
    }

    /// The alignment that attributes and `_Alignas` ask for, in bytes; 0 if none.
    pub fn requested_align(&mut self, attributes: &[Attribute], align: &[Alignas]) -> Elaborated<u64> {
        let mut requested = 0;
        for attribute in attributes {
            if self.session.names.name(attribute.name) == "aligned" {
                let value = match attribute.args.first() {
                    // Without a number: the largest that the machine uses for anything.
                    None => 16,
                    Some(&arg) => self.integer_constant(arg, "an alignment")?.0,
                };
                requested = requested.max(self.check_align(value, attribute.range)?);
            }
        }
        for alignas in align {
            let value = match *alignas {
                Alignas::Type(name) => {
                    let ty = self.type_of_name(name)?;
                    self.unit.types.align_qualified(ty)
                }
                Alignas::Expr(expr) => {
                    let (value, _) = self.integer_constant(expr, "an alignment")?;
                    let range = self.ast.exprs[expr].range;
                    if value == 0 { 0 } else { self.check_align(value, range)? }
                }
            };
            requested = requested.max(value);
        }
        Ok(requested)
    }

    fn check_align(&mut self, value: i128, range: Range) -> Elaborated<u64> {
        match u64::try_from(value) {
            Ok(value) if value.is_power_of_two() && value <= 1 << 28 => Ok(value),
            _ => self.error(range, "an alignment must be a power of two", ""),
        }
    }

    pub fn basic_type(&mut self, basic: BasicType, range: Range) -> Elaborated<Ty> {
        Ok(match basic {
            BasicType::Void => Ty::VOID,
            BasicType::Bool => Ty::BOOL,
            BasicType::Char => Ty::CHAR,
            BasicType::SignedChar => Ty::SCHAR,
            BasicType::UnsignedChar => Ty::UCHAR,
            BasicType::Short => Ty::SHORT,
            BasicType::UnsignedShort => Ty::USHORT,
            BasicType::Int => Ty::INT,
            BasicType::UnsignedInt => Ty::UINT,
            BasicType::Long => Ty::LONG,
            BasicType::UnsignedLong => Ty::ULONG,
            BasicType::LongLong => Ty::LONGLONG,
            BasicType::UnsignedLongLong => Ty::ULONGLONG,
            BasicType::Int128 => Ty::INT128,
            BasicType::UnsignedInt128 => Ty::UINT128,
            BasicType::Float16 => Ty::FLOAT16,
            BasicType::Float => Ty::FLOAT,
            BasicType::Double => Ty::DOUBLE,
            BasicType::LongDouble => Ty::LDOUBLE,
            BasicType::Float128 => Ty::FLOAT128,
            BasicType::Imaginary => return self.unsupported(range, "`_Imaginary` is"),
            BasicType::Decimal => return self.unsupported(range, "decimal floating point is"),
            BasicType::VaList => self.va_list_type(),
        })
    }

    /// `__builtin_va_list`: on x86-64 an array of one structure (System V ABI 3.5.7), on i386 a pointer.
    fn va_list_type(&mut self) -> Ty {
        if let Some(ty) = self.unit.va_list {
            return ty;
        }
        let ty = match self.unit.types.target {
            model::Target::Ilp32 => self.unit.types.pointer(Ty::CHAR),
            model::Target::Lp64 => {
                let pointer = self.unit.types.pointer(Ty::VOID);
                let names = ["gp_offset", "fp_offset", "overflow_arg_area", "reg_save_area"];
                let types = [(Ty::UINT, 0), (Ty::UINT, 4), (pointer, 8), (pointer, 16)];
                let fields: Vec<CField> = names
                    .iter()
                    .zip(types)
                    .map(|(name, (ty, offset))| CField {
                        name: Some(self.session.names.intern(name)),
                        ty: ty.into(),
                        offset,
                        variable_offset: None,
                        bits: None,
                    })
                    .collect();
                let tag = Some(self.session.names.intern("__va_list_tag"));
                let record = self.new_record(CRecord {
                    is_union: false,
                    tag,
                    fields: Some(fields),
                    size: 24,
                    variable_size: None,
                    align: 8,
                    transparent: false,
                    nesting: 1,
                    model: model::RecordId::new(0),
                });
                let ty = self.unit.types.intern(CType::Record(record));
                self.unit.types.array(ty, Len::Fixed(1))
            }
        };
        self.unit.va_list = Some(ty);
        ty
    }

    /// The type that a type name names.
    pub fn type_of_name(&mut self, id: TypeNameId) -> Elaborated<Qual> {
        if let Some(&known) = self.unit.known_type_names.get(&id) {
            return Ok(known);
        }
        let name = &self.ast.type_names[id];
        let base = self.specified_type(&name.specifiers, false)?;
        let ty = self.declared_type(base, &name.declarator, false)?;
        let align = self.requested_align(&name.declarator.attributes, &[])?;
        let ty = with_align(ty, align);
        if !self.unit.types.is_variably_modified(ty.ty) {
            self.unit.known_type_names.insert(id, ty);
        }
        Ok(ty)
    }

    /// A type as C writes it, for messages.
    pub fn type_name(&self, ty: Ty) -> String {
        let types = &self.unit.types;
        match types.get(ty) {
            CType::Void => "void".into(),
            CType::Bool => "_Bool".into(),
            CType::Int(kind) => int_name(*kind).into(),
            CType::Bits { bits, signed } => format!("{}int:{bits}", if *signed { "" } else { "unsigned " }),
            CType::Float(format) => float_name(*format).into(),
            CType::Complex(part) => format!("{} _Complex", self.type_name(*part)),
            CType::Pointer(to) => format!("{} *", self.type_name(to.ty)),
            CType::Array { elem, len } => match len {
                Len::Fixed(len) => format!("{}[{len}]", self.type_name(elem.ty)),
                _ => format!("{}[]", self.type_name(elem.ty)),
            },
            CType::Function(signature) => {
                let mut params: Vec<String> = signature.params.iter().map(|param| self.type_name(param.ty)).collect();
                if signature.variadic {
                    params.push("...".into());
                } else if params.is_empty() && signature.prototype {
                    params.push("void".into());
                }
                format!("{} ({})", self.type_name(signature.ret.ty), params.join(", "))
            }
            CType::Record(record) => {
                let record = types.record(*record);
                let keyword = if record.is_union { "union" } else { "struct" };
                match record.tag {
                    Some(tag) => format!("{keyword} {}", self.name(tag)),
                    None => format!("{keyword} (unnamed)"),
                }
            }
            CType::Enum(e) => match types.enums[e.0 as usize].tag {
                Some(tag) => format!("enum {}", self.name(tag)),
                None => "enum (unnamed)".into(),
            },
            CType::Vector { elem, len } => format!("vector of {len} {}", self.type_name(*elem)),
        }
    }
}

/// The type with an alignment in bytes, if one is given.
pub fn with_align(ty: Qual, align: u64) -> Qual {
    if align == 0 { ty } else { Qual { align: align.trailing_zeros() as u8 + 1, ..ty } }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}

fn float_name(format: FloatFormat) -> &'static str {
    match format {
        FloatFormat::F16 => "_Float16",
        FloatFormat::F32 => "float",
        FloatFormat::F64 => "double",
        FloatFormat::X87 => "long double",
        FloatFormat::F128 => "_Float128",
    }
}
