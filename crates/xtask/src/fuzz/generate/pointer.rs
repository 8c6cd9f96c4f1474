//! Pointers to variables: they are read and written through, moved to other variables, and may outlive what they lead to.

use super::super::tree::{Integer, Variable};
use super::Generator;

/// A pointer that leads to something of a type.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) name: String,
    pub(super) element: Integer,
    /// Something that lives as long as the pointer.
    pub(super) home: String,
    /// How many variables were in scope where it was declared: others may die before it.
    pub(super) older: usize,
}

impl Generator {
    /// A new pointer to a variable, old or new, or into an array.
    pub(super) fn new_pointer(&mut self) {
        let name = self.name("p");
        let old = self.random.pick(&self.variables).filter(|variable| self.is_free(&variable.name));
        let (element, home) = match (old, self.random.pick(&self.buffers), self.random.below(3)) {
            (Some(variable), _, 0) => (variable.ty, format!("&{}", variable.name)),
            (_, Some(buffer), 1) => (buffer.element, format!("&{}[{}]", buffer.name, self.index(&buffer))),
            _ => {
                let variable = self.new_variable();
                (variable.ty, format!("&{}", variable.name))
            }
        };
        self.line(format!("{} *{name} = {home};", element.name()));
        self.pointers.push(Pointer { name, element, home, older: self.variables.len() });
    }

    fn new_variable(&mut self) -> Variable {
        let (ty, name, value) = (self.element(), self.name("x"), self.random.between(0, 9));
        self.line(format!("{} {name} = {value};", ty.name()));
        let variable = Variable { name, ty };
        self.variables.push(variable.clone());
        variable
    }

    /// Whether nothing depends on a variable.
    pub(super) fn is_free(&self, name: &str) -> bool {
        self.counters.iter().all(|(counter, length)| counter != name && length != name)
            && self.buffers.iter().all(|buffer| buffer.length != name)
    }

    /// Writes through a pointer.
    pub(super) fn store_through(&mut self) {
        let Some(pointer) = self.random.pick(&self.pointers) else { return self.new_pointer() };
        let value = self.expression(1);
        let operator = self.random.word(&["=", "=", "+=", "^="]);
        self.line(format!("*{} {operator} {value};", pointer.name));
    }

    /// Moves a pointer to something else. If that dies first, it usually comes back in time.
    pub(super) fn move_pointer(&mut self) {
        let Some(pointer) = self.random.pick(&self.pointers) else { return self.new_pointer() };
        let fits = |variable: &&(usize, Variable)| variable.1.ty == pointer.element && self.is_free(&variable.1.name);
        let known: Vec<(usize, Variable)> = self.variables.iter().cloned().enumerate().filter(|known| fits(&known)).collect();
        let (place, target) = match (self.random.pick(&known), self.random.below(3)) {
            (Some((place, variable)), 0 | 1) => (place, format!("&{}", variable.name)),
            _ => (usize::MAX, self.new_target(pointer.element)),
        };
        self.line(format!("{} = {target};", pointer.name));
        let value = self.leaf();
        self.line(format!("*{} = {value};", pointer.name));
        if place >= pointer.older && !self.random.chance(2 * self.slip) {
            self.line(format!("{} = {};", pointer.name, pointer.home));
        }
    }

    /// Something new of a type: a variable, an array or a record of the block.
    fn new_target(&mut self, ty: Integer) -> String {
        let (name, length) = (self.name("x"), self.random.between(1, 6));
        match self.random.below(3) {
            0 => {
                self.line(format!("{} {name}[{length}];", ty.name()));
                format!("{name} + {}", self.random.between(0, length - 1))
            }
            1 => {
                self.line(format!("struct {{ char c; {} m; }} {name} = {{ 1, 2 }};", ty.name()));
                format!("&{name}.m")
            }
            _ => {
                self.line(format!("{} {name} = {length};", ty.name()));
                self.variables.push(Variable { name: name.clone(), ty });
                format!("&{name}")
            }
        }
    }

    /// Reads something in memory into a variable of its own, and asks what can be said about that.
    pub(super) fn look(&mut self) {
        let globals: Vec<Variable> = self.variables.iter().filter(|variable| variable.name.starts_with('g')).cloned().collect();
        let (ty, value) = match (self.random.below(6), self.random.pick(&self.buffers), self.random.pick(&self.pointers)) {
            (0, _, Some(pointer)) => (pointer.element, format!("*{}", pointer.name)),
            (1..5, Some(buffer), _) => (buffer.element, format!("{}[{}]", buffer.name, self.index(&buffer))),
            _ => match self.random.pick(&globals) {
                Some(variable) => (variable.ty, variable.name),
                None => return self.probe(),
            },
        };
        let name = self.name("v");
        self.line(format!("{} {name} = {value};", ty.name()));
        self.variables.push(Variable { name: name.clone(), ty });
        self.probe_of(&name);
    }
}
