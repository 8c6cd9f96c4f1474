//! Structures, unions and enumerations, with the layout that the System V ABI and GCC give them.

use model::{Field, Layout, Record, RecordKind, Type, TypeId};

use super::ctype::{CEnum, CField, CRecord, CType, EnumIdx, IntKind, Len, NESTING_LIMIT, Qual, RecordIdx, Ty};
use super::scope::{Entity, Tag};
use super::{Elaborated, Elaborator};
use crate::ast::{Attribute, DeclId, EnumSpecifier, Enumerator, ExprKind, InitDeclarator, Member, Range, RecordSpecifier, Specifiers};
use crate::intern::Symbol;

/// Where the next member goes.
pub struct Placement {
    pub is_union: bool,
    /// `packed`: members have no alignment of their own.
    packed: bool,
    /// `#pragma pack`: no member is aligned to more than this; 0 for no limit.
    limit: u64,
    /// In bits, from the base; a structure may have 2^63 bytes.
    pub position: u128,
    /// Behind a variable-length member: the number of the length that holds where it ends.
    pub base: Option<u32>,
    /// The end of the furthest member, in bits.
    end: u128,
    pub align: u64,
    pub fields: Vec<CField>,
}

impl Placement {
    /// An alignment, no larger than `#pragma pack` allows.
    fn limited(&self, align: u64) -> u64 {
        if self.limit == 0 { align } else { align.min(self.limit) }
    }

    /// The next member of a structure goes behind this position.
    fn advance(&mut self, end: u128) {
        self.position = end;
        self.end = self.end.max(end);
    }
}

impl Elaborator<'_> {
    pub fn record_specifier(&mut self, specifier: &RecordSpecifier, alone: bool) -> Elaborated<Ty> {
        let record = self.record_of_tag(specifier, alone)?;
        if let Some(members) = &specifier.members {
            self.define_record(record, specifier, members)?;
        }
        Ok(self.unit.types.intern(CType::Record(record)))
    }

    fn record_of_tag(&mut self, specifier: &RecordSpecifier, alone: bool) -> Elaborated<RecordIdx> {
        let defines = specifier.members.is_some();
        if let Some(tag) = specifier.tag {
            let here = self.unit.tags.get_here(tag);
            let known = if defines || alone { here.map(|(known, _)| known) } else { self.unit.tags.get(tag) };
            match known {
                Some(Tag::Record(record)) if self.unit.types.record(record).is_union == specifier.is_union => {
                    if defines && self.unit.types.record(record).fields.is_some() {
                        let name = self.name(tag).to_string();
                        let result = self.error(specifier.range, format!("`{name}` is defined twice"), "second definition");
                        if let Some((_, first)) = here {
                            self.relate(first, "first definition");
                        }
                        return result;
                    }
                    return Ok(record);
                }
                Some(_) => {
                    let name = self.name(tag).to_string();
                    return self.error(specifier.range, format!("`{name}` is the tag of something else"), "");
                }
                None => {}
            }
        }
        let record = self.new_record(CRecord {
            is_union: specifier.is_union,
            tag: specifier.tag,
            fields: None,
            size: 0,
            variable_size: None,
            align: 1,
            transparent: false,
            nesting: 0,
            model: model::RecordId::new(0),
        });
        let span = self.span(specifier.range);
        let model = self.unit.types.record(record).model;
        self.unit.program.types.record_mut(model).span = span;
        if let Some(tag) = specifier.tag {
            self.unit.tags.bind(tag, Tag::Record(record), specifier.range);
        }
        Ok(record)
    }

    /// A new record, in the tables of the front end and of the model.
    pub fn new_record(&mut self, mut record: CRecord) -> RecordIdx {
        record.model = self.unit.program.types.add_record(Record {
            kind: if record.is_union { RecordKind::Union } else { RecordKind::Struct },
            name: record.tag.map(|tag| self.name(tag).to_string()).unwrap_or_default(),
            layout: None,
            span: model::Span::NONE,
        });
        self.unit.types.records.push(record);
        let index = RecordIdx(self.unit.types.records.len() as u32 - 1);
        self.lay_out_model(index);
        index
    }

    fn define_record(&mut self, record: RecordIdx, specifier: &RecordSpecifier, members: &[Member]) -> Elaborated<()> {
        for attribute in &specifier.attributes {
            let refused = match self.name(attribute.name) {
                "ms_struct" => true,
                // The order of the machine may be asked for.
                "scalar_storage_order" => !self.is_little_endian(attribute),
                _ => false,
            };
            if refused {
                let name = self.name(attribute.name).to_string();
                return self.unsupported(specifier.range, format!("the attribute `{name}` is"));
            }
        }
        let packed = self.has_attribute(&specifier.attributes, "packed");
        let mut placement = Placement {
            is_union: specifier.is_union,
            packed,
            limit: u64::from(specifier.pack),
            position: 0,
            base: None,
            end: 0,
            align: 1,
            fields: Vec::new(),
        };
        for (index, member) in members.iter().enumerate() {
            match member {
                Member::StaticAssert(assert) => self.static_assert(assert)?,
                Member::Declaration(declaration) => self.members(&mut placement, *declaration, index + 1 == members.len())?,
            }
        }
        let requested = self.requested_align(&specifier.attributes, &[])?;
        let align = placement.align.max(requested);
        let bytes = placement.end.div_ceil(8).next_multiple_of(u128::from(align));
        let Some(size) = u64::try_from(bytes).ok().filter(|size| *size <= i64::MAX as u64) else {
            return self.error(specifier.range, "this structure is larger than the address space", "");
        };
        self.check_member_names(&placement.fields, specifier.range)?;
        let nesting = 1 + placement.fields.iter().map(|field| self.unit.types.nesting(field.ty.ty)).max().unwrap_or(0);
        self.check_nesting(nesting, specifier.range)?;
        let transparent = self.has_attribute(&specifier.attributes, "transparent_union");
        self.close_variable_record(&placement, record, align, specifier.range)?;
        let entry = &mut self.unit.types.records[record.0 as usize];
        entry.fields = Some(placement.fields);
        entry.size = size;
        entry.align = align;
        entry.transparent = transparent;
        entry.nesting = nesting;
        self.lay_out_model(record);
        Ok(())
    }

    fn is_little_endian(&self, attribute: &Attribute) -> bool {
        let order = attribute.args.first().map(|arg| &self.ast.exprs[*arg].kind);
        matches!(order, Some(ExprKind::String(text, _)) if text.as_ref() == b"little-endian")
    }

    /// Refuses arrays and records inside each other that the model would not take.
    pub fn check_nesting(&mut self, nesting: u32, range: Range) -> Elaborated<()> {
        if nesting <= NESTING_LIMIT {
            return Ok(());
        }
        self.error(range, format!("arrays and structures inside each other deeper than {NESTING_LIMIT} levels"), "")
    }

    pub fn has_attribute(&self, attributes: &[Attribute], name: &str) -> bool {
        attributes.iter().any(|attribute| self.name(attribute.name) == name)
    }

    /// Gives the model's record the fields that the front end's has.
    fn lay_out_model(&mut self, record: RecordIdx) {
        let entry = self.unit.types.record(record);
        let Some(fields) = entry.fields.clone().filter(|_| entry.variable_size.is_none()) else { return };
        let (size, align, model) = (entry.size, entry.align, entry.model);
        let fields = fields
            .into_iter()
            .map(|field| Field {
                name: field.name.map(|name| self.name(name).to_string()).unwrap_or_default(),
                ty: match field.bits {
                    Some((_, width)) => self.bit_field_type(field.ty.ty, width),
                    None => self.lower(field.ty.ty),
                },
                offset: field.offset,
                bit: field.bits.map(|(bit, _)| bit),
            })
            .collect();
        self.unit.program.types.record_mut(model).layout = Some(Layout { fields, size, align });
    }

    /// The model's type of a bit-field: an integer of its width.
    pub fn bit_field_type(&mut self, declared: Ty, width: u16) -> TypeId {
        match self.unit.types.get(declared) {
            CType::Bool => self.unit.program.types.bool(),
            _ => {
                let signed = self.unit.types.int_shape(declared).is_some_and(|(_, signed)| signed);
                self.unit.program.types.intern(Type::Int { bits: width, signed })
            }
        }
    }

    fn members(&mut self, placement: &mut Placement, declaration: DeclId, last: bool) -> Elaborated<()> {
        let declaration = &self.ast.decls[declaration];
        let specifiers = &declaration.specifiers;
        let base = self.specified_type(specifiers, false)?;
        if declaration.declarators.is_empty() {
            // An anonymous structure or union; a tag alone declares only the tag.
            let anonymous = match self.unit.types.get(base.ty) {
                CType::Record(record) => {
                    let record = self.unit.types.record(*record);
                    record.tag.is_none() || matches!(&specifiers.ty, crate::ast::TypeSpecifier::Record(r) if r.tag.is_none())
                }
                _ => false,
            };
            if anonymous {
                let align = self.requested_align(&specifiers.attributes, &specifiers.align)?;
                self.place_member(placement, None, base, align, false, declaration.range)?;
            }
            return Ok(());
        }
        for item in &declaration.declarators {
            self.member_declarator(placement, specifiers, base, item, last)?;
        }
        Ok(())
    }

    fn member_declarator(
        &mut self,
        placement: &mut Placement,
        specifiers: &Specifiers,
        base: Qual,
        item: &InitDeclarator,
        last: bool,
    ) -> Elaborated<()> {
        let declarator = &item.declarator;
        let ty = self.declared_type(base, declarator, false)?;
        let ty = self.apply_type_attributes(ty, &declarator.attributes)?;
        let range = declarator.range;
        let mut align = self.requested_align(&declarator.attributes, &specifiers.align)?;
        align = align.max(self.requested_align(&specifiers.attributes, &[])?);
        let packed = self.has_attribute(&declarator.attributes, "packed") || self.has_attribute(&specifiers.attributes, "packed");
        if let Some(width) = item.bit_width {
            let (width, _) = self.integer_constant(width, "the width of a bit-field")?;
            return self.place_bit_field(placement, declarator.name, ty, width, (align, packed), range);
        }
        if self.unit.types.is_function(ty.ty) {
            return self.error(range, "a member cannot be a function", "");
        }
        let flexible = matches!(self.unit.types.element(ty.ty), Some((_, Len::Incomplete)));
        let is_variable = self.unit.types.is_variable(ty.ty);
        if self.unit.types.size(ty.ty).is_none() && !is_variable && !(flexible && (last || placement.is_union)) {
            return self.incomplete(range, ty.ty);
        }
        self.place_member(placement, declarator.name, ty, align, packed, range)
    }

    fn place_member(
        &mut self,
        placement: &mut Placement,
        name: Option<Symbol>,
        ty: Qual,
        requested: u64,
        packed: bool,
        range: Range,
    ) -> Elaborated<()> {
        // `packed` takes away the type's alignment; an explicit request stands, unless `#pragma pack` is in the way.
        let natural = if placement.packed || packed { 1 } else { self.unit.types.align_qualified(ty) };
        let align = placement.limited(natural.max(requested));
        if placement.base.is_some() || self.unit.types.is_variable(ty.ty) {
            return self.place_variable_member(placement, name, ty, align, range);
        }
        let size = self.unit.types.size(ty.ty).unwrap_or(0);
        let start = if placement.is_union { 0 } else { placement.position.next_multiple_of(8 * u128::from(align)) };
        let Ok(offset) = u64::try_from(start / 8) else {
            return self.error(range, "this structure is larger than the address space", "");
        };
        placement.fields.push(CField { name, ty, offset, variable_offset: None, bits: None });
        placement.advance(start + 8 * u128::from(size));
        placement.align = placement.align.max(align);
        Ok(())
    }

    /// A bit-field does not span more alignment units of its declared type than the type itself has, unless it is packed or `#pragma pack`
    /// is in force. A width of 0 starts a new unit, whatever is packed.
    fn place_bit_field(
        &mut self,
        placement: &mut Placement,
        name: Option<Symbol>,
        ty: Qual,
        width: i128,
        (requested, packed): (u64, bool),
        range: Range,
    ) -> Elaborated<()> {
        let (Some((bits, _)), Some(size)) = (self.unit.types.int_shape(ty.ty), self.unit.types.size(ty.ty)) else {
            let name = self.type_name(ty.ty);
            return self.error(range, "a bit-field must have an integer type", format!("has type `{name}`"));
        };
        let width = match u16::try_from(width) {
            Ok(width) if width <= bits && (width > 0 || name.is_none()) => width,
            _ => return self.error(range, format!("a bit-field of this type has 1 to {bits} bits"), format!("has {width}")),
        };
        let packed = placement.packed || packed;
        if placement.base.is_some() && !packed {
            return self.unsupported(range, "a bit-field behind a variable-length member is");
        }
        let natural = self.unit.types.align_qualified(ty);
        let unit = 8 * u128::from(natural);
        let mut position = if placement.is_union { 0 } else { placement.position };
        if width == 0 {
            position = position.next_multiple_of(unit.max(8 * u128::from(requested)));
            placement.advance(position);
            return Ok(());
        }
        // One that is a whole number of the machine in its place counts as an ordinary member.
        let is_ordinary = matches!(width, 8 | 16 | 32 | 64) && (width == 8 || !packed) && position % u128::from(width) == 0;
        let own = match (is_ordinary, requested) {
            (true, 0) => self.unit.types.scalar_align(u64::from(width / 8)),
            (true, _) => requested.max(u64::from(width / 8)),
            (false, _) => requested.max(1),
        };
        let own = placement.limited(own);
        if requested > 0 {
            position = position.next_multiple_of(8 * u128::from(own));
        }
        let spanned = (position % unit + u128::from(width)).div_ceil(unit);
        if spanned > u128::from(size / natural) && !packed && placement.limit == 0 && !is_ordinary {
            position = position.next_multiple_of(unit);
        }
        if name.is_some() {
            let Ok(offset) = u64::try_from(position / 8) else {
                return self.error(range, "this structure is larger than the address space", "");
            };
            placement.fields.push(CField { name, ty, offset, variable_offset: placement.base, bits: Some(((position % 8) as u8, width)) });
            let of_type = if packed && placement.limit == 0 { 1 } else { placement.limited(natural) };
            placement.align = placement.align.max(own).max(of_type);
        }
        placement.advance(position + u128::from(width));
        Ok(())
    }

    fn check_member_names(&mut self, fields: &[CField], range: Range) -> Elaborated<()> {
        let mut names: Vec<Symbol> = fields.iter().filter_map(|field| field.name).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = self.name(pair[0]).to_string();
            return self.error(range, format!("there are two members `{name}`"), "");
        }
        Ok(())
    }

    /// The way to a member: positions from the record inwards, through anonymous members.
    pub fn find_member(&self, record: RecordIdx, name: Symbol) -> Option<Vec<usize>> {
        let fields = self.unit.types.record(record).fields.as_ref()?;
        if let Some(index) = fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![index]);
        }
        fields.iter().enumerate().filter(|(_, field)| field.name.is_none()).find_map(|(index, field)| {
            let mut path = self.find_member(self.unit.types.as_record(field.ty.ty)?, name)?;
            path.insert(0, index);
            Some(path)
        })
    }

    pub fn enum_specifier(&mut self, specifier: &EnumSpecifier) -> Elaborated<Ty> {
        let index = match specifier.tag {
            Some(tag) => {
                let known = if specifier.enumerators.is_some() {
                    self.unit.tags.get_here(tag).map(|(known, _)| known)
                } else {
                    self.unit.tags.get(tag)
                };
                match known {
                    Some(Tag::Enum(index)) => index,
                    Some(Tag::Record(_)) => {
                        let name = self.name(tag).to_string();
                        return self.error(specifier.range, format!("`{name}` is the tag of something else"), "");
                    }
                    None => {
                        let index = self.new_enum(Some(tag));
                        self.unit.tags.bind(tag, Tag::Enum(index), specifier.range);
                        index
                    }
                }
            }
            None => self.new_enum(None),
        };
        if let Some(underlying) = specifier.underlying {
            let ty = self.type_of_name(underlying)?;
            self.unit.types.enums[index.0 as usize].underlying = Some(ty.ty);
        }
        if let Some(enumerators) = &specifier.enumerators {
            self.define_enum(index, specifier, enumerators)?;
        }
        Ok(self.unit.types.intern(CType::Enum(index)))
    }

    fn new_enum(&mut self, tag: Option<Symbol>) -> EnumIdx {
        self.unit.types.enums.push(CEnum { tag, underlying: None });
        EnumIdx(self.unit.types.enums.len() as u32 - 1)
    }

    /// Constants that fit are `int`; others have the enumeration's type (GNU, C23). While the list is read, each has a type that holds it.
    fn define_enum(&mut self, index: EnumIdx, specifier: &EnumSpecifier, enumerators: &[Enumerator]) -> Elaborated<()> {
        let fixed = specifier.underlying.and(self.unit.types.enums[index.0 as usize].underlying);
        let (mut next, mut low, mut high) = (0i128, 0i128, 0i128);
        let mut values = Vec::with_capacity(enumerators.len());
        for enumerator in enumerators {
            if let Some(value) = enumerator.value {
                next = self.integer_constant(value, "the value of an enumerator")?.0;
            }
            (low, high) = (low.min(next), high.max(next));
            let ty = fixed.unwrap_or_else(|| self.constant_type(next));
            self.bind_enumerator(enumerator, next, ty)?;
            values.push(next);
            next = next.wrapping_add(1);
        }
        let short = self.session.options.short_enums || self.has_attribute(&specifier.attributes, "packed");
        let underlying = match fixed {
            Some(ty) => ty,
            None => self.enum_type(low, high, short),
        };
        self.unit.types.enums[index.0 as usize].underlying = Some(underlying);
        let ty = self.unit.types.intern(CType::Enum(index));
        for (enumerator, value) in enumerators.iter().zip(values) {
            if fixed.is_some() || i32::try_from(value).is_err() {
                let lowered = self.lower(ty);
                let pattern = self.unit.program.types.truncate(lowered, value as u128);
                self.unit.names.rebind(enumerator.name, Entity::Constant(pattern, ty));
            }
        }
        Ok(())
    }

    fn bind_enumerator(&mut self, enumerator: &Enumerator, value: i128, ty: Ty) -> Elaborated<()> {
        if let Some((_, first)) = self.unit.names.get_here(enumerator.name) {
            let name = self.name(enumerator.name).to_string();
            let result = self.error(enumerator.range, format!("`{name}` is declared twice"), "second declaration");
            self.relate(first, "first declaration");
            return result;
        }
        let lowered = self.lower(ty);
        let pattern = self.unit.program.types.truncate(lowered, value as u128);
        self.unit.names.bind(enumerator.name, Entity::Constant(pattern, ty), enumerator.range);
        Ok(())
    }

    /// The type of an enumeration with these values: unsigned if none is negative.
    fn enum_type(&self, low: i128, high: i128, short: bool) -> Ty {
        let list = match low < 0 {
            true => [Ty::SCHAR, Ty::SHORT, Ty::INT, Ty::LONG, Ty::LONGLONG],
            false => [Ty::UCHAR, Ty::USHORT, Ty::UINT, Ty::ULONG, Ty::ULONGLONG],
        };
        let from = if short { 0 } else { 2 };
        list[from..].iter().copied().find(|ty| self.holds(*ty, low, high)).unwrap_or(Ty::ULONGLONG)
    }

    /// The type of a constant while its enumeration is being read.
    fn constant_type(&self, value: i128) -> Ty {
        let list = [Ty::INT, Ty::UINT, Ty::LONG, Ty::ULONG, Ty::LONGLONG];
        list.into_iter().find(|ty| self.holds(*ty, value, value)).unwrap_or(Ty::ULONGLONG)
    }

    fn holds(&self, ty: Ty, low: i128, high: i128) -> bool {
        debug_assert!(matches!(self.unit.types.get(ty), CType::Int(kind) if *kind < IntKind::Int128));
        let (bits, signed) = self.unit.types.int_shape(ty).unwrap_or((32, true));
        if signed { low >= -(1 << (bits - 1)) && high < 1 << (bits - 1) } else { low >= 0 && high < 1 << bits }
    }
}
