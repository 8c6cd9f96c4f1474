//! Everything that expressions and places are made of.

use model::{Body, Created, ExprId, PlaceId};
use rustc_hash::FxHashSet;

/// A walk through parts of expressions and places, each met once. It costs as much as what it meets, however large the body is.
pub struct Walk<'a> {
    body: &'a Body,
    exprs: FxHashSet<ExprId>,
    places: FxHashSet<PlaceId>,
    work: Vec<Created>,
}

impl<'a> Walk<'a> {
    /// A walk that has met nothing yet.
    pub fn new(body: &'a Body) -> Self {
        Walk { body, exprs: FxHashSet::default(), places: FxHashSet::default(), work: Vec::new() }
    }
    /// Meets an expression and its parts.
    pub fn expr(&mut self, id: ExprId) {
        self.work.push(Created::Expr(id));
        self.run();
    }
    /// Meets a place and its parts.
    pub fn place(&mut self, id: PlaceId) {
        self.work.push(Created::Place(id));
        self.run();
    }
    fn run(&mut self) {
        while let Some(created) = self.work.pop() {
            match created {
                Created::Expr(id) => {
                    if self.exprs.insert(id) {
                        let kind = &self.body.exprs[id].kind;
                        self.work.extend(kind.operands().map(Created::Expr));
                        self.work.extend(kind.place().map(Created::Place));
                    }
                }
                Created::Place(id) => {
                    if self.places.insert(id) {
                        let kind = &self.body.places[id].kind;
                        self.work.extend(kind.operand().map(Created::Expr));
                        self.work.extend(kind.base().map(Created::Place));
                    }
                }
            }
        }
    }
    /// The expressions and places that were met since the last time; they are forgotten.
    pub fn take(&mut self) -> Text {
        let mut text = Text { exprs: self.exprs.drain().collect(), places: self.places.drain().collect() };
        text.exprs.sort_unstable();
        text.places.sort_unstable();
        text
    }
}

/// Expressions and places in the order of their numbers.
#[derive(Default)]
pub struct Text {
    /// The expressions.
    pub exprs: Vec<ExprId>,
    /// The places.
    pub places: Vec<PlaceId>,
}

impl Text {
    /// Both in an order in which each refers only to earlier ones, as in [`Body::creation_order`].
    pub fn creation_order<'t>(&'t self, body: &'t Body) -> impl Iterator<Item = Created> + 't {
        let mut exprs = self.exprs.iter().copied().peekable();
        let mut places = self.places.iter().copied().peekable();
        std::iter::from_fn(move || {
            let next_expr = exprs.peek().copied();
            let ready =
                |place: &PlaceId| next_expr.is_none_or(|next| body.places[*place].kind.operand().is_none_or(|operand| operand < next));
            match places.next_if(ready) {
                Some(id) => Some(Created::Place(id)),
                None => exprs.next().map(Created::Expr),
            }
        })
    }
}
