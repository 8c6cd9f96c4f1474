//! The arguments behind a format, given one by one or as a `va_list`.

use std::rc::Rc;

use model::{CheckKind, FloatFormat, Target};

use super::{Invocation, pointer_of};
use crate::code::Shape;
use crate::fault::Step;
use crate::machine::{Argument, Machine};
use crate::memory::Pointer;

/// Arguments and how many of them were taken.
pub struct Arguments {
    all: Rc<Vec<Argument>>,
    taken: usize,
    list: Option<usize>,
}

impl Arguments {
    /// Those of a variadic function, from this one on.
    pub fn rest(call: &Invocation<'_>, from: usize) -> Self {
        Arguments { all: Rc::new(call.arguments.get(from..).unwrap_or_default().to_vec()), taken: 0, list: None }
    }

    /// Those of a `va_list`. It is an array on LP64, passed as a pointer to it, and a scalar on ILP32, passed as it is.
    pub fn list(machine: &mut Machine<'_, '_>, call: &Invocation<'_>, index: usize) -> Step<Self> {
        let pointer = call.pointer(machine, index);
        let list = match machine.program.types.target() {
            Target::Lp64 => machine.va_list_index(pointer, call.span)?,
            Target::Ilp32 => (machine.memory.address(pointer) as usize).wrapping_sub(1),
        };
        let Some(content) = machine.va_lists.get(list) else {
            return Err(machine.fatal(CheckKind::Uninitialised, call.span, "a `va_list` that was not started"));
        };
        Ok(Arguments { all: content.arguments.clone(), taken: content.taken, list: Some(list) })
    }

    /// Tells the `va_list` what was taken.
    pub fn finish(self, machine: &mut Machine<'_, '_>) {
        if let Some(list) = self.list.and_then(|list| machine.va_lists.get_mut(list)) {
            list.taken = self.taken;
        }
    }

    /// The next argument, or the one at a position counted from 1.
    fn take(&mut self, machine: &mut Machine<'_, '_>, position: Option<usize>) -> Step<Argument> {
        let index = match position {
            Some(position) => position.saturating_sub(1),
            None => {
                self.taken += 1;
                self.taken - 1
            }
        };
        match self.all.get(index) {
            Some(argument) => Ok(argument.clone()),
            None => {
                let span = machine.span();
                Err(machine.fatal(CheckKind::Bounds, span, "the format wants more arguments than there are"))
            }
        }
    }

    fn wrong_type(machine: &mut Machine<'_, '_>, wanted: &str) -> Box<crate::End> {
        let span = machine.span();
        machine.fatal(CheckKind::Bounds, span, format!("the format wants {wanted}, but the argument is something else"))
    }

    /// An integer of this width.
    pub fn integer(&mut self, machine: &mut Machine<'_, '_>, position: Option<usize>, shape: Shape) -> Step<i128> {
        match self.take(machine, position)? {
            Argument::Scalar(value, Shape::Pointer) if machine.expose(value).is_ok() => {
                Ok(shape.value(shape.cut(u128::from(machine.memory.address(value as u64)))))
            }
            Argument::Scalar(value, Shape::Int(..) | Shape::Bool) => Ok(shape.value(shape.cut(value))),
            _ => Err(Self::wrong_type(machine, "an integer")),
        }
    }

    /// A pointer.
    pub fn pointer(&mut self, machine: &mut Machine<'_, '_>, position: Option<usize>) -> Step<Pointer> {
        match self.take(machine, position)? {
            argument @ Argument::Scalar(_, Shape::Pointer | Shape::Int(..)) => Ok(pointer_of(machine, &argument)),
            _ => Err(Self::wrong_type(machine, "a pointer")),
        }
    }

    /// A floating-point number in this format.
    pub fn float(&mut self, machine: &mut Machine<'_, '_>, position: Option<usize>, format: FloatFormat) -> Step<u128> {
        match self.take(machine, position)? {
            Argument::Scalar(value, Shape::Float(given)) if given == format => Ok(value),
            _ => Err(Self::wrong_type(machine, "a floating-point number")),
        }
    }
}
