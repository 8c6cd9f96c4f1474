//! Functions of the C library and of verification tasks that have no body in the program.
//!
//! A function is one entry in the table of its header's file: its name and what it does to the machine.

mod allocation;
mod verifier;

use model::{CheckKind, FunctionId, Span, Type};

use crate::code::Shape;
use crate::fault::{End, Step};
use crate::machine::{Argument, Location, Machine, Target};
use crate::memory::Pointer;

/// What the library remembers.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Handlers of `atexit`, the last one first to run.
    pub at_exit: Vec<Pointer>,
    /// Whether destructors have run.
    pub destructors_ran: bool,
    /// How deep the interpreter's own calls are nested.
    pub nesting: usize,
}

/// A call of a library function.
pub struct Invocation<'c> {
    /// Its name.
    pub name: &'c str,
    /// Its arguments.
    pub arguments: &'c [Argument],
    /// What its result is.
    pub result: Shape,
    /// Where it is called.
    pub span: Span,
}

impl Invocation<'_> {
    /// A scalar argument; 0 if it is missing, which a prototype rules out.
    pub fn scalar(&self, index: usize) -> u128 {
        match self.arguments.get(index) {
            Some(Argument::Scalar(value, _)) => *value,
            _ => 0,
        }
    }
    /// A pointer argument. An integer passed for it is an address.
    pub fn pointer(&self, machine: &Machine<'_, '_>, index: usize) -> Pointer {
        match self.arguments.get(index) {
            Some(Argument::Scalar(value, Shape::Pointer)) => *value as u64,
            Some(Argument::Scalar(value, _)) => machine.memory.pointer(*value as u64),
            _ => 0,
        }
    }
    /// An integer argument, sign-extended as its type says.
    pub fn integer(&self, index: usize) -> i128 {
        match self.arguments.get(index) {
            Some(Argument::Scalar(value, shape)) => shape.value(*value),
            _ => 0,
        }
    }
}

/// What a library function does; its result as a bit pattern of its result type.
pub type Native = fn(&mut Machine<'_, '_>, &Invocation<'_>) -> Step<u128>;

/// A header: its functions by name.
type Header = &'static [(&'static str, Native)];

const HEADERS: &[Header] = &[allocation::FUNCTIONS, verifier::FUNCTIONS];

/// The implementation of a function.
pub fn find(name: &str) -> Option<Native> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let found = HEADERS.iter().flat_map(|header| header.iter()).find(|(known, _)| *known == name);
    found.map(|(_, native)| *native).or_else(|| verifier::find(name))
}

/// Calls a function that has no body.
pub fn call(machine: &mut Machine<'_, '_>, function: FunctionId, arguments: &[Argument], result: Option<Target>, span: Span) -> Step<()> {
    let program = machine.program;
    let name = &program.functions[function].name;
    let shape = match program.types.get(program.functions[function].ty) {
        Type::Function { ret, .. } => Shape::of(&program.types, *ret),
        _ => Shape::Aggregate,
    };
    if let Some(native) = machine.native(function) {
        let value = native(machine, &Invocation { name, arguments, result: shape, span })?;
        return match result {
            Some(target) if target.shape != Shape::Aggregate => machine.store(target, target.shape.cut(value), span),
            _ => Ok(()),
        };
    }
    if !machine.unknown_functions.contains(&function) {
        machine.unknown_functions.push(function);
    }
    match result {
        Some(target) if target.shape == Shape::Aggregate => machine.havoc(target, span),
        Some(target) => {
            let bits = target.shape.bits(program.types.target().pointer_bits());
            let value = machine.input(format!("result of {name}"), bits, span)?;
            let value = if target.shape == Shape::Pointer { u128::from(machine.memory.pointer(value as u64)) } else { value };
            machine.store(target, value, span)
        }
        None => Ok(()),
    }
}

/// At the end: heap objects that nothing leads to any more were lost.
pub fn check_leaks(machine: &mut Machine<'_, '_>) -> Step<()> {
    if machine.policy.of(CheckKind::Leak) == crate::Reaction::Ignore {
        return Ok(());
    }
    allocation::check_leaks(machine)
}

/// Hands over what is still buffered.
pub fn flush(_: &mut Machine<'_, '_>) {}

/// Writes to standard output or standard error, within the budget.
pub fn write(machine: &mut Machine<'_, '_>, bytes: &[u8], to_error: bool) -> Step<()> {
    machine.written += bytes.len() as u64;
    if machine.written > machine.limits.output {
        let span = machine.span();
        return Err(Box::new(End::Budget(crate::Budget::Output, span)));
    }
    (machine.output)(bytes, to_error);
    Ok(())
}

/// The target of a scalar in memory.
pub fn scalar_at(pointer: Pointer, shape: Shape, size: u64) -> Target {
    Target { location: Location::Memory(pointer), shape, size }
}
