//! Calls of a function with numbers that stand in the program.
//!
//! What is demanded of all calls of a function that is encoded once is guessed before the calls are seen. What does not hold of a call like `f(p, 16)` is no
//! demand that is worth a test, and what is known of loops inside of the function would rest on it in vain. Nothing is concluded from these calls.

use std::rc::Rc;

use model::{Body, Callee, CommandKind, ExprId, ExprKind, LocalId, Type, TypeId};

use crate::encoder::{Encoder, Info};
use crate::scalar::Scalar;
use crate::state::{Slot, State, Value};

/// More calls are not looked at.
const CALLS: usize = 8;

/// The numbers that a call passes.
type Numbers = Vec<(LocalId, u128)>;

impl<'p> Encoder<'p> {
    /// The state in which an arbitrary call begins, with the numbers that calls in the program pass.
    pub(crate) fn example_calls(&mut self, info: &Info<'p>, head: &State) -> Vec<State> {
        let mut examples = Vec::new();
        for numbers in self.passed_numbers(info) {
            let mut state = head.clone();
            for (param, number) in numbers {
                let slot = Rc::make_mut(&mut state.slots).get_mut(param.index());
                if let Some(Slot::Private(Value::Scalar(Scalar::Term(term)), _)) = slot {
                    *term = self.terms.number(self.terms.width(*term), number);
                }
            }
            examples.push(state);
        }
        examples
    }

    /// The numbers that calls of a function pass, each set of them once.
    fn passed_numbers(&self, info: &Info<'p>) -> Vec<Numbers> {
        let mut found: Vec<Numbers> = Vec::new();
        for body in self.program.functions.iter().filter_map(|function| function.body.as_ref()) {
            for command in body.blocks.iter().flat_map(|block| &block.commands) {
                let CommandKind::Call { callee: Callee::Direct(callee), args, .. } = &command.kind else { continue };
                if *callee != info.id {
                    continue;
                }
                let params = info.body.locals.ids().take(info.body.params as usize).zip(args);
                let number = |(param, arg): (LocalId, &ExprId)| Some((param, self.number_for(body, *arg, info.body.locals[param].ty)?));
                let numbers: Numbers = params.filter_map(number).collect();
                if !numbers.is_empty() && !found.contains(&numbers) && found.len() < CALLS {
                    found.push(numbers);
                }
            }
        }
        found
    }

    /// The bits of an argument that is a number, for a parameter of some type.
    fn number_for(&self, body: &Body, arg: ExprId, ty: TypeId) -> Option<u128> {
        let bits = |ty| match self.program.types.get(ty) {
            Type::Int { .. } => self.program.types.bits(ty).map(u32::from),
            _ => None,
        };
        let (mut expr, width) = (arg, bits(ty)?);
        // Narrower numbers would have to be extended.
        while bits(body.exprs[expr].ty)? >= width {
            match body.exprs[expr].kind {
                ExprKind::Cast(inner) => expr = inner,
                ExprKind::Int(pattern) => return Some(pattern & (u128::MAX >> (128 - width))),
                _ => return None,
            }
        }
        None
    }
}
