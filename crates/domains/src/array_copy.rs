//! What was copied is equal, and what was not yet visited is as it was.

use encode::{Elements, Formula, Moment};
use model::{ExprId, PlaceId};

use crate::Domain;
use crate::rows::{Row, Rows, Segment};
use crate::view::View;

/// `dst[0..i) == src[0..i)`
pub struct ArrayCopy;

impl Domain for ArrayCopy {
    fn name(&self) -> &'static str {
        "array-copy"
    }
    fn about(&self) -> &'static str {
        "copied parts of arrays are equal, parts not yet visited are as before: dst[0..i) == src[0..i)"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let rows = Rows::new(view);
        for row in &rows.rows {
            for (index, value) in &row.stores {
                let Some((source, source_index)) = rows.copied(*value) else { continue };
                if source.step != row.step || source.bits != row.bits {
                    continue;
                }
                let (to, from) = (rows.visited(row, index), rows.visited(source, &source_index));
                for (to, from) in to.iter().zip(&from).filter(|(to, from)| same_length(row, source, to, from)) {
                    out.push(agree(to, from.elements, from));
                    if source.written {
                        out.push(agree(to, Elements { content: Moment::Entry, ..from.elements }, from));
                    }
                }
            }
            if row.written {
                for segment in row.stores.iter().flat_map(|(index, _)| rows.unvisited(row, index)) {
                    out.push(agree(&segment, Elements { content: Moment::Entry, ..segment.elements }, &segment));
                }
            }
        }
    }
}

fn agree(to: &Segment, others: Elements, from: &Segment) -> Formula {
    Formula::Agree { elements: to.elements, first: to.first.clone(), others, other_first: from.first.clone(), count: to.count.clone() }
}

/// Whether two segments may have the same length: the same sum, or one walk beside another.
fn same_length(row: &Row, source: &Row, to: &Segment, from: &Segment) -> bool {
    to.count == from.count || row.moves || source.moves
}

impl Rows<'_> {
    /// The element that a stored value is a copy of.
    fn copied(&self, value: ExprId) -> Option<(&Row, encode::Linear)> {
        let place: PlaceId = self.loaded_element(value)?;
        let (row, index) = self.find(place)?;
        Some((row, index?))
    }
}
