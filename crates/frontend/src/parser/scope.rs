//! Which names are typedef names, at the current point of the text.

use crate::intern::Symbol;

/// One flag per symbol, and what to restore at the end of the open scopes.
#[derive(Default, Debug)]
pub(super) struct Scopes {
    typedefs: Vec<bool>,
    undo: Vec<(Symbol, bool)>,
    depth: u32,
}

impl Scopes {
    pub(super) fn is_typedef(&self, symbol: Symbol) -> bool {
        self.typedefs.get(symbol.0 as usize).copied().unwrap_or(false)
    }

    /// Says that from here to the end of the scope a name is a typedef name, or is not.
    pub(super) fn declare(&mut self, symbol: Symbol, typedef: bool) {
        if self.is_typedef(symbol) == typedef {
            return;
        }
        if self.depth > 0 {
            self.undo.push((symbol, !typedef));
        }
        let index = symbol.0 as usize;
        if self.typedefs.len() <= index {
            self.typedefs.resize(index + 1, false);
        }
        self.typedefs[index] = typedef;
    }

    /// Opens a scope; what it returns closes it.
    pub(super) fn open(&mut self) -> usize {
        self.depth += 1;
        self.undo.len()
    }

    pub(super) fn close(&mut self, mark: usize) {
        self.depth -= 1;
        for (symbol, typedef) in self.undo.drain(mark..).rev() {
            self.typedefs[symbol.0 as usize] = typedef;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_scopes_shadow() {
        let (a, b) = (Symbol(3), Symbol(9));
        let mut scopes = Scopes::default();
        scopes.declare(a, true);
        let outer = scopes.open();
        scopes.declare(a, false);
        scopes.declare(b, true);
        let inner = scopes.open();
        scopes.declare(a, true);
        scopes.declare(b, false);
        assert_eq!((scopes.is_typedef(a), scopes.is_typedef(b)), (true, false));
        scopes.close(inner);
        assert_eq!((scopes.is_typedef(a), scopes.is_typedef(b)), (false, true));
        scopes.close(outer);
        assert_eq!((scopes.is_typedef(a), scopes.is_typedef(b)), (true, false));
    }
}
