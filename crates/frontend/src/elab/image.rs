//! From the parts that an initialiser sets to the content of a static object, or to assignments.

use std::collections::BTreeMap;

use model::{Chunk, CommandKind, ExprKind as Model, GlobalId, Init, PlaceKind, Relocation, Type};

use super::constant::Constant;
use super::ctype::{CType, Len, Qual, Ty};
use super::initializer::{Leaf, LeafValue};
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::Range;

/// No image grows beyond this; larger ones come only from mistaken indices.
const LARGEST: u64 = 1 << 28;
/// Zeros in a row that are worth splitting a chunk for.
const GAP: usize = 32;
/// From this number of constant parts on, an automatic object is copied from a constant image instead of set part by part.
const COPY_FROM: usize = 32;

/// The content of an object while it is put together; later parts replace earlier ones.
#[derive(Default)]
struct Image {
    bytes: Vec<u8>,
    relocations: BTreeMap<u64, Relocation>,
    /// Where something that was written ends.
    ends: Vec<usize>,
}

impl Image {
    fn reserve(&mut self, end: u64) -> bool {
        if end > LARGEST {
            return false;
        }
        if self.bytes.len() < end as usize {
            self.bytes.resize(end as usize, 0);
        }
        true
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) -> bool {
        let end = offset.saturating_add(bytes.len() as u64);
        if !self.reserve(end) {
            return false;
        }
        self.bytes[offset as usize..end as usize].copy_from_slice(bytes);
        self.ends.push(end as usize);
        self.forget_relocations(offset, end);
        true
    }

    fn clear(&mut self, offset: u64, size: u64) {
        let end = offset.saturating_add(size);
        let len = self.bytes.len() as u64;
        self.bytes[offset.min(len) as usize..end.min(len) as usize].fill(0);
        self.forget_relocations(offset, end);
    }

    fn forget_relocations(&mut self, start: u64, end: u64) {
        let hit: Vec<u64> = self
            .relocations
            .range(start.saturating_sub(16)..end)
            .filter(|(at, r)| *at + u64::from(r.bytes) > start)
            .map(|(at, _)| *at)
            .collect();
        for at in hit {
            self.relocations.remove(&at);
        }
    }

    fn write_bits(&mut self, offset: u64, bit: u8, width: u16, value: u128) -> bool {
        let end = offset + (u64::from(bit) + u64::from(width)).div_ceil(8);
        if !self.reserve(end) {
            return false;
        }
        for i in 0..width {
            let position = u64::from(bit) + u64::from(i);
            let byte = &mut self.bytes[(offset + position / 8) as usize];
            let mask = 1u8 << (position % 8);
            *byte = if value >> i & 1 == 1 { *byte | mask } else { *byte & !mask };
        }
        true
    }

    fn relocate(&mut self, relocation: Relocation) -> bool {
        let zeros = [0; 16];
        let written = self.write(relocation.offset, &zeros[..usize::from(relocation.bytes)]);
        self.relocations.insert(relocation.offset, relocation);
        written
    }

    /// The stretches that are not zero.
    fn finish(mut self, size: Option<u64>) -> Init {
        self.ends.sort_unstable();
        let mut chunks: Vec<Chunk> = Vec::new();
        let mut position = 0;
        while let Some(start) = self.bytes[position..].iter().position(|byte| *byte != 0).map(|i| i + position) {
            // A chunk ends where an address stands: the two never overlap.
            let next_address = self.relocations.range(start as u64..).next().map_or(self.bytes.len(), |(at, _)| *at as usize);
            let mut end = start + 1;
            while let Some(next) = self.bytes[end..next_address].iter().take(GAP).position(|byte| *byte != 0) {
                end += next + 1;
            }
            // A number is not cut in the middle: it would be hard to read.
            let whole = self.ends.get(self.ends.partition_point(|known| *known < end)).copied();
            end = whole.map_or(end, |whole| whole.min(next_address));
            chunks.push(Chunk { offset: start as u64, bytes: self.bytes[start..end].to_vec() });
            position = end;
        }
        Init { chunks, relocations: self.relocations.into_values().collect(), size }
    }
}

impl Elaborator<'_> {
    /// The initial content of a static object.
    pub fn static_content(&mut self, ty: Qual, leaves: &[Leaf]) -> Elaborated<Init> {
        let mut image = Image::default();
        let mut extent = 0;
        for leaf in leaves {
            let range = leaf.value.range();
            let written = match &leaf.value {
                LeafValue::Bytes(bytes, _) => {
                    extent = extent.max(leaf.offset + bytes.len() as u64);
                    image.write(leaf.offset, bytes)
                }
                LeafValue::Zero(_) => {
                    image.clear(leaf.offset, self.unit.types.size(leaf.ty).unwrap_or(u64::MAX));
                    true
                }
                LeafValue::Value(value) => {
                    let size = match leaf.bits {
                        Some((bit, width)) => (u64::from(bit) + u64::from(width)).div_ceil(8),
                        None => self.unit.types.size(leaf.ty).unwrap_or(0),
                    };
                    extent = extent.max(leaf.offset + size);
                    self.static_value(&mut image, leaf, *value)?
                }
            };
            if !written {
                return self.unsupported(range, "an initialiser of more than 256 MiB is");
            }
        }
        let declared = self.unit.types.size(ty.ty).unwrap_or(0);
        Ok(image.finish((extent > declared).then_some(extent)))
    }

    fn static_value(&mut self, image: &mut Image, leaf: &Leaf, value: Rvalue) -> Elaborated<bool> {
        if self.unit.types.is_complex(leaf.ty)
            && let Some((re, im)) = self.constant_complex(value)
        {
            let half = self.unit.types.size(leaf.ty).unwrap_or(0) / 2;
            let n = half.min(16) as usize;
            return Ok(image.write(leaf.offset, &re.to_le_bytes()[..n]) && image.write(leaf.offset + half, &im.to_le_bytes()[..n]));
        }
        let size = self.unit.types.size(leaf.ty).unwrap_or(0);
        match self.constant(value.expr) {
            Some(Constant::Int(pattern)) if leaf.bits.is_some() => {
                let (bit, width) = leaf.bits.unwrap_or((0, 0));
                Ok(image.write_bits(leaf.offset, bit, width, pattern))
            }
            Some(Constant::Int(pattern) | Constant::Float(pattern)) => {
                Ok(image.write(leaf.offset, &pattern.to_le_bytes()[..size.min(16) as usize]))
            }
            Some(Constant::Zero) => Ok(true),
            Some(Constant::Address(..)) if leaf.bits.is_some() || !matches!(size, 4 | 8) => {
                self.unsupported(value.range, "an address in a part of this size is")
            }
            Some(Constant::Address(target, addend)) => {
                Ok(image.relocate(Relocation { offset: leaf.offset, bytes: size.min(8) as u8, target, addend }))
            }
            Some(Constant::Content(global, from)) => Ok(self.copy_content(image, global, from, leaf.offset, size)),
            _ => self.error(value.range, "the initialiser of a static object must be a constant", "not a constant"),
        }
    }

    fn copy_content(&mut self, image: &mut Image, global: GlobalId, from: u64, to: u64, size: u64) -> bool {
        let init = self.unit.program.globals[global].init.clone().unwrap_or_default();
        let inside = |offset: u64| offset >= from && offset < from + size;
        for chunk in init.chunks {
            for (i, byte) in chunk.bytes.iter().enumerate() {
                let offset = chunk.offset + i as u64;
                if inside(offset) && !image.write(to + offset - from, &[*byte]) {
                    return false;
                }
            }
        }
        init.relocations.into_iter().filter(|r| inside(r.offset)).all(|r| image.relocate(Relocation { offset: to + r.offset - from, ..r }))
    }

    /// Sets the parts of an automatic object; what is not named becomes zero.
    pub fn store_leaves(&mut self, object: Value, leaves: Vec<Leaf>, range: Range) -> Elaborated<()> {
        let span = self.span(range);
        let ValueKind::Place(root) = object.kind else { return Ok(()) };
        let whole = matches!(&leaves[..], [leaf] if leaf.path.is_empty());
        if !whole {
            if self.is_constant_table(&leaves) {
                return self.copy_from_image(root, object.ty, &leaves, range);
            }
            let lowered = self.unit.builder.body.places[root].ty;
            let scalar = self.unit.types.is_scalar(object.ty.ty);
            let zero = match (scalar, self.unit.program.types.get(lowered)) {
                (true, Type::Float(_)) => Model::Float(0),
                (true, _) => Model::Int(0),
                _ => Model::Zero,
            };
            let src = self.make(zero, lowered, span);
            self.emit(CommandKind::Assign { dst: root, src }, span);
        }
        for leaf in leaves {
            self.store_leaf(object, leaf)?;
        }
        Ok(())
    }

    fn is_constant_table(&self, leaves: &[Leaf]) -> bool {
        leaves.len() >= COPY_FROM
            && leaves.iter().all(|leaf| match &leaf.value {
                LeafValue::Value(value) => {
                    self.unit.types.is_scalar(leaf.ty)
                        && matches!(self.constant(value.expr), Some(Constant::Int(_) | Constant::Float(_) | Constant::Address(..)))
                }
                LeafValue::Bytes(..) | LeafValue::Zero(_) => true,
            })
    }

    fn copy_from_image(&mut self, root: model::PlaceId, ty: Qual, leaves: &[Leaf], range: Range) -> Elaborated<()> {
        let init = self.static_content(ty, leaves)?;
        let source = self.made_up_object(".image", ty.ty, init, range);
        let span = self.span(range);
        let lowered = self.lower(ty.ty);
        let place = self.unit.builder.place(PlaceKind::Global(source), lowered, false, span);
        let src = self.make(Model::Load(place), lowered, span);
        self.emit(CommandKind::Assign { dst: root, src }, span);
        Ok(())
    }

    fn store_leaf(&mut self, object: Value, leaf: Leaf) -> Elaborated<()> {
        let range = leaf.value.range();
        let span = self.span(range);
        let mut part = Value { range, ..object };
        for position in leaf.path {
            part = match self.unit.types.as_record(part.ty.ty) {
                Some(_) => self.field(part, position as usize, range)?,
                None => self.constant_element(part, position, range)?,
            };
        }
        let value = match leaf.value {
            LeafValue::Value(value) => value,
            LeafValue::Bytes(bytes, range) => self.bytes_value(&bytes, part.ty.ty, range),
            LeafValue::Zero(range) => self.bytes_value(&[], part.ty.ty, range),
        };
        self.store(part, value, span)
    }

    fn constant_element(&mut self, array: Value, index: u64, range: Range) -> Elaborated<Value> {
        let ValueKind::Place(place) = array.kind else { return self.error(range, "this has no elements", "") };
        let span = self.span(range);
        let (elem, place) = match *self.unit.types.get(array.ty.ty) {
            CType::Array { elem, .. } => (elem, place),
            CType::Vector { elem, .. } => (elem.into(), self.vector_elements(place, span)),
            _ => return self.error(range, "this has no elements", ""),
        };
        let difference = self.unit.types.difference_type();
        let index = self.int_constant(i128::from(index), difference, range);
        let lowered = self.lower(elem.ty);
        let place = self.unit.builder.place(PlaceKind::Index(place, index.expr), lowered, array.ty.q.is_volatile, span);
        Ok(Value { kind: ValueKind::Place(place), ty: elem, range })
    }

    /// The value of an array that holds these bytes and zeros behind them.
    fn bytes_value(&mut self, bytes: &[u8], ty: Ty, range: Range) -> Rvalue {
        let span = self.span(range);
        let lowered = self.lower(ty);
        if bytes.iter().all(|byte| *byte == 0) {
            return Rvalue { expr: self.make(Model::Zero, lowered, span), ty, range };
        }
        let global = self.string_object(bytes, ty, range);
        let place = self.unit.builder.place(PlaceKind::Global(global), lowered, false, span);
        Rvalue { expr: self.make(Model::Load(place), lowered, span), ty, range }
    }

    /// The constant object that holds a string, made once for each content and type.
    pub fn string_object(&mut self, bytes: &[u8], ty: Ty, range: Range) -> GlobalId {
        let lowered = self.lower(ty);
        if let Some(&global) = self.unit.strings.get(&(bytes.into(), lowered)) {
            return global;
        }
        let global = self.bytes_object(".string", bytes, ty, range);
        self.unit.strings.insert((bytes.into(), lowered), global);
        global
    }

    /// A new constant object that holds these bytes.
    pub fn bytes_object(&mut self, prefix: &str, bytes: &[u8], ty: Ty, range: Range) -> GlobalId {
        let mut image = Image::default();
        image.write(0, bytes);
        self.made_up_object(prefix, ty, image.finish(None), range)
    }

    /// A constant object without a name of the source.
    fn made_up_object(&mut self, prefix: &str, ty: Ty, init: Init, range: Range) -> GlobalId {
        self.unit.made_up += 1;
        let name = format!("{prefix}.{}", self.unit.made_up);
        let span = self.span(range);
        let ty = self.lower(ty);
        let linkage = model::Linkage::Internal;
        self.unit.program.globals.push(model::Global {
            name,
            link_name: None,
            ty,
            linkage,
            init: Some(init),
            constant: true,
            thread_local: false,
            alias: None,
            span,
        })
    }

    /// A static object that only its declaration names: a function's static variable or a compound literal.
    pub fn static_object(&mut self, name: &str, ty: Qual, init: Option<crate::ast::InitId>, range: Range) -> Elaborated<(GlobalId, Qual)> {
        let (ty, content) = match init {
            Some(init) => {
                let (ty, leaves) = self.collect_initializer(ty, init, true)?;
                (ty, self.static_content(ty, &leaves)?)
            }
            None => (ty, Init::default()),
        };
        if self.unit.types.size(ty.ty).is_none() && !matches!(self.unit.types.element(ty.ty), Some((_, Len::Incomplete))) {
            return self.incomplete(range, ty.ty);
        }
        let holds_labels =
            content.relocations.iter().any(|r| matches!(r.target, model::Address::Label(..) | model::Address::LabelDifference(..)));
        let global = self.made_up_object(name, ty.ty, content, range);
        self.unit.program.globals[global].constant = self.unit.types.is_constant(ty);
        if holds_labels {
            self.unit.label_holders.push(global);
        }
        Ok((global, ty))
    }
}
