//! Accesses to memory, as the checks of pointers see them.

use model::{ExprId, ExprKind, Field, FloatFormat, Global, PlaceId, PlaceKind, Type};

use super::site::Site;

/// What is done to an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
}

/// An access that is not trivially right: so many bytes at a distance from a pointer.
pub(super) struct Access {
    pub pointer: ExprId,
    pub distance: u64,
    pub size: u64,
    pub usage: Use,
    /// Whether nothing is known about the pointer; else it belongs to a variable, which exists.
    pub indirect: bool,
}

impl Access {
    /// The access to a place; none if nothing can be wrong with it beside its indices, which are checked by themselves.
    pub fn to(site: &mut Site<'_>, place: PlaceId, usage: Use) -> Option<Access> {
        let size = accessed_bytes(site, place).filter(|size| *size > 0)?;
        if is_inside_variable(site, place, usage) {
            return None;
        }
        let (mut anchor, mut distance) = (place, 0u64);
        let pointer = loop {
            let parts = match site.body.places[anchor].kind {
                PlaceKind::Deref(pointer) => break site.uncast(pointer),
                PlaceKind::Field(base, _) => site.body.field(site.types, anchor).map(|field| (base, field.offset)),
                PlaceKind::Index(base, _) => fixed_distance(site, anchor).map(|offset| (base, offset)),
                PlaceKind::Local(_) | PlaceKind::Global(_) => None,
            };
            match parts.and_then(|(base, offset)| Some((base, distance.checked_add(offset)?))) {
                Some((base, sum)) => (anchor, distance) = (base, sum),
                None => break site.address(anchor),
            }
        };
        Some(Access { pointer, distance, size, usage, indirect: !leads_to_variable(site, pointer) })
    }

    /// The access to the `va_list` that a pointer leads to; what it holds is nobody's business, so its first word stands for it.
    pub fn of_list(site: &Site<'_>, pointer: ExprId, usage: Use) -> Option<Access> {
        if matches!(site.body.exprs[pointer].kind, ExprKind::AddressOf(place) if is_fixed(site, place) && is_inside_variable(site, place, usage))
        {
            return None;
        }
        let indirect = !leads_to_variable(site, pointer);
        Some(Access { pointer, distance: 0, size: site.types.target().pointer_bytes(), usage, indirect })
    }
}

/// How many bytes an access touches: of a bit-field those that its bits are in, of an x87 number its ten.
fn accessed_bytes(site: &Site<'_>, place: PlaceId) -> Option<u64> {
    let ty = site.body.places[place].ty;
    if let Some(Field { bit: Some(bit), .. }) = site.body.field(site.types, place) {
        return Some((u64::from(*bit) + u64::from(site.types.bits(ty)?)).div_ceil(8));
    }
    match site.types.get(ty) {
        Type::Float(FloatFormat::X87) => Some(10),
        _ => site.types.size_of(ty),
    }
}

/// The distance of an element with a constant index from its array.
fn fixed_distance(site: &Site<'_>, element: PlaceId) -> Option<u64> {
    let PlaceKind::Index(_, index) = site.body.places[element].kind else { return None };
    let size = site.types.size_of(site.body.places[element].ty)?;
    u64::try_from(site.constant(index)?).ok()?.checked_mul(size)
}

/// Whether all indices on the way to a place are constants within their arrays.
fn is_fixed(site: &Site<'_>, place: PlaceId) -> bool {
    let mut part = place;
    while let Some(base) = site.body.places[part].kind.base() {
        if let PlaceKind::Index(_, index) = site.body.places[part].kind {
            let limit = i128::from(site.body.element_limit(site.types, base).unwrap_or(0));
            if !site.constant(index).is_some_and(|index| (0..limit).contains(&index)) {
                return false;
            }
        }
        part = base;
    }
    true
}

/// Whether a pointer is the address of a part of a variable, perhaps moved.
fn leads_to_variable(site: &Site<'_>, mut pointer: ExprId) -> bool {
    loop {
        pointer = match site.body.exprs[site.uncast(pointer)].kind {
            ExprKind::PointerAdd(start, _) => start,
            ExprKind::AddressOf(place) => match site.body.places[root(site, place)].kind {
                PlaceKind::Deref(pointer) => pointer,
                _ => return true,
            },
            _ => return false,
        };
    }
}

/// The variable or dereferenced pointer that a place is a part of.
fn root(site: &Site<'_>, place: PlaceId) -> PlaceId {
    let mut place = place;
    while let Some(base) = site.body.places[place].kind.base() {
        place = base;
    }
    place
}

/// Whether a place lies in a variable whatever its indices are, as long as these are within their arrays.
fn is_inside_variable(site: &Site<'_>, place: PlaceId, usage: Use) -> bool {
    let mut part = place;
    while let Some(base) = site.body.places[part].kind.base() {
        if matches!(site.body.places[part].kind, PlaceKind::Index(..)) && site.body.element_limit(site.types, base).is_none() {
            return false;
        }
        part = base;
    }
    let Some(seen) = site.types.size_of(site.body.places[part].ty) else { return false };
    match site.body.places[part].kind {
        PlaceKind::Local(_) => true,
        PlaceKind::Global(global) => {
            let global = &site.globals[global];
            seen <= global_size(site, global) && !(global.constant && usage == Use::Write)
        }
        _ => false,
    }
}

fn global_size(site: &Site<'_>, global: &Global) -> u64 {
    let declared = site.types.size_of(global.ty).unwrap_or(0);
    global.init.as_ref().and_then(|init| init.size).unwrap_or(0).max(declared)
}
