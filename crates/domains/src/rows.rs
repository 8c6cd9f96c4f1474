//! The elements that a loop deals with: which arrays and strings, at which indices, what is stored in them and what they are compared with.
//!
//! A row is a sequence of scalars whose base can be spoken of at the loop's head. As everywhere in this crate, all of it serves to guess only.

mod find;
mod segments;
mod values;

use encode::{Linear, Source};
use model::{ExprId, LocalId, PlaceId, TypeId};
use rustc_hash::FxHashMap;

use crate::view::View;
use crate::view::live::Scope;
use crate::view::reader::Reader;
use crate::view::walk::Text;
use find::Key;
pub(crate) use find::mirrored;
pub(crate) use segments::{Segment, elements};
pub(crate) use values::Values;

/// The rows of a loop.
pub(crate) struct Rows<'v> {
    pub(crate) view: &'v View<'v>,
    pub(crate) reader: Reader<'v>,
    pub(crate) rows: Vec<Row>,
    /// Pointers to characters that the loop hands to calls and does not look behind itself, and whether it moves them.
    pub(crate) strings: Vec<(Source, bool)>,
    /// Everything that occurs in the loop and near behind it.
    pub(crate) text: Text,
    scope: Scope,
    positions: FxHashMap<Key, usize>,
    /// For each array that something in the function accesses, a place whose base can be spoken of at the head.
    bases: FxHashMap<Key, PlaceId>,
    /// The values of variables that the loop assigns once.
    once: FxHashMap<LocalId, ExprId>,
}

/// Elements that the loop accesses.
pub(crate) struct Row {
    /// One of them, as formulas want it.
    pub(crate) place: PlaceId,
    /// What each is.
    pub(crate) ty: TypeId,
    /// The width of each.
    pub(crate) bits: u16,
    /// The bytes from one to the next.
    pub(crate) step: u64,
    /// The pointer that they are counted from, if it is one and not an array.
    pub(crate) pointer: Option<Source>,
    /// Whether the loop moves that pointer.
    pub(crate) moves: bool,
    /// How many there are, for an array.
    pub(crate) length: Option<u64>,
    /// Whether the loop writes any of them.
    pub(crate) written: bool,
    /// The indices that the loop uses, as sums over the head's variables.
    pub(crate) indices: Vec<Linear>,
    /// What it stores, and where.
    pub(crate) stores: Vec<(Linear, ExprId)>,
    /// What they are compared with in the loop.
    pub(crate) guards: Vec<Values>,
    /// What they are compared with elsewhere in the function.
    pub(crate) claims: Vec<Values>,
}

impl Row {
    /// Whether the elements are characters.
    pub(crate) fn is_text(&self) -> bool {
        self.bits == 8
    }
}

/// Adds something that is not there yet.
fn note<T: PartialEq>(list: &mut Vec<T>, item: T, most: usize) {
    if list.len() < most && !list.contains(&item) {
        list.push(item);
    }
}
