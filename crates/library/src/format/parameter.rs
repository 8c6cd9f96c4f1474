//! Formats that come as a parameter: `void reply(const char *format, char *name) { … printf(format, name); … }`, and, with a `va_list`,
//! `void die(const char *format, ...) { … vfprintf(stderr, format, list); … }`.
//!
//! The call becomes a choice: if the format is this literal, what it says is taken from the arguments or the list and printed, and so on for each literal that some call
//! in the program may bring here. Which one it is, is asked when the program runs, so that it does not matter whether all of them were found: for any other
//! format the call stays as it is, or, where there seems to be none, is not modelled.

use model::{
    Address, Arena, BinaryOp, Block, BlockId, Body, Callee, Command, CommandKind, Expr, ExprId, ExprKind, FloatFormat, FunctionId,
    GlobalId, Place, PlaceId, PlaceKind, Program, Terminator, Type, TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::parse::{Amount, Class, Piece};
use super::{Expansion, KeptValues, Member, bytes, formatted, kept_values, literal_object, origin};

/// More literals than this are not told apart.
const LITERALS: usize = 64;

/// A parameter of a function, by number.
type Parameter = (FunctionId, usize);

/// The formats that may come as a parameter.
#[derive(Clone, Default, Debug)]
pub(super) struct Known {
    literals: Vec<GlobalId>,
    /// Whether another one may come.
    others: bool,
}

/// The formats that come to the parameters of a program's functions.
pub(super) struct Formats {
    known: FxHashMap<Parameter, Known>,
}

/// What is known of a format that somebody gets.
enum Source {
    Literal(GlobalId),
    Parameter(Parameter),
    Other,
}

fn source(program: &Program, function: FunctionId, body: &Body, kept: &KeptValues, format: ExprId) -> Source {
    if let Some(object) = literal_object(body, kept, format).filter(|object| bytes(&program.globals, *object).is_some()) {
        return Source::Literal(object);
    }
    parameter(body, kept, format).map_or(Source::Other, |number| Source::Parameter((function, number)))
}

/// The parameter that an expression is, unless it was written.
fn parameter(body: &Body, kept: &KeptValues, expr: ExprId) -> Option<usize> {
    let ExprKind::Load(place) = body.exprs[origin(body, kept, expr)].kind else { return None };
    let PlaceKind::Local(local) = body.places[place].kind else { return None };
    (local.index() < body.params as usize && !kept.contains_key(&local)).then(|| local.index())
}

/// The functions whose addresses are used.
fn pointed_to(program: &Program) -> FxHashSet<FunctionId> {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let in_code = bodies.flat_map(|body| body.exprs.iter()).filter_map(|expr| match expr.kind {
        ExprKind::Function(function) => Some(function),
        _ => None,
    });
    let initial = program.globals.iter().filter_map(|global| global.init.as_ref()).flat_map(|init| &init.relocations);
    let in_data = initial.filter_map(|relocation| match relocation.target {
        Address::Function(function) => Some(function),
        _ => None,
    });
    in_code.chain(in_data).collect()
}

impl Formats {
    /// Those that come to calls whose format is a parameter, and to the callers of these.
    pub(super) fn of(program: &Program, members: &FxHashMap<FunctionId, Member>) -> Formats {
        let mut calls: FxHashMap<FunctionId, Vec<(FunctionId, &[ExprId])>> = FxHashMap::default();
        let mut kept: FxHashMap<FunctionId, KeptValues> = FxHashMap::default();
        let mut todo: Vec<Parameter> = Vec::new();
        for (id, function) in program.functions.enumerate() {
            let Some(body) = &function.body else { continue };
            let values = kept_values(body);
            for command in body.blocks.iter().flat_map(|block| &block.commands) {
                if let CommandKind::Call { callee: Callee::Direct(callee), args, .. } = &command.kind {
                    calls.entry(*callee).or_default().push((id, args));
                }
                let format = formatted(members, command).map(|(_, _, member, args)| args[member.format]);
                todo.extend(format.and_then(|format| parameter(body, &values, format)).map(|number| (id, number)));
            }
            kept.insert(id, values);
        }
        let pointed_to = pointed_to(program);
        let mut known: FxHashMap<Parameter, Known> = FxHashMap::default();
        let mut passed: Vec<(Parameter, Parameter)> = Vec::new();
        while let Some((function, number)) = todo.pop() {
            if known.contains_key(&(function, number)) {
                continue;
            }
            let mut here = Known { literals: Vec::new(), others: pointed_to.contains(&function) };
            for (caller, args) in calls.get(&function).into_iter().flatten() {
                let body = program.functions[*caller].body.as_ref();
                let come = body.zip(kept.get(caller)).zip(args.get(number));
                match come.map_or(Source::Other, |((body, kept), format)| source(program, *caller, body, kept, *format)) {
                    Source::Literal(object) => here.literals.push(object),
                    Source::Parameter(from) => {
                        passed.push((from, (function, number)));
                        todo.push(from);
                    }
                    Source::Other => here.others = true,
                }
            }
            known.insert((function, number), here);
        }
        // What comes to a caller's parameter comes from there; each round takes it one call further.
        for _ in 0..passed.len() {
            for (from, to) in &passed {
                let more = known.get(from).cloned().unwrap_or(Known { literals: Vec::new(), others: true });
                if let Some(here) = known.get_mut(to) {
                    here.literals.extend(more.literals);
                    here.others |= more.others;
                    here.literals.sort_unstable();
                    here.literals.dedup();
                }
            }
        }
        for here in known.values_mut() {
            here.literals.sort_unstable();
            here.literals.dedup();
        }
        Formats { known }
    }

    /// What may be the format of a call; none if nothing is known of it.
    pub(super) fn that_may_come(
        &self,
        function: FunctionId,
        body: &Body,
        kept: &KeptValues,
        member: Member,
        args: &[ExprId],
    ) -> Option<&Known> {
        let number = parameter(body, kept, args[member.format])?;
        self.known.get(&(function, number)).filter(|known| (1..=LITERALS).contains(&known.literals.len()))
    }
}

impl Expansion<'_> {
    /// Replaces a call by a choice between formats, and goes on behind it; whether one of them could be printed.
    pub(super) fn choose(&mut self, blocks: &mut Arena<Block>, at: &mut BlockId, call: &Command, member: Member, known: &Known) -> bool {
        let CommandKind::Call { dst, args, .. } = &call.kind else { return false };
        let without_list = !member.list || self.passes_lists_by_pointer();
        if !without_list || args.iter().any(|arg| !self.program.types.is_scalar(self.body.exprs[*arg].ty)) {
            self.leave(call, args[member.format]);
            blocks[*at].commands.append(&mut self.commands);
            return false;
        }
        self.commands.clear();
        let values: Vec<ExprId> = args.iter().map(|arg| self.evaluated(*arg)).collect();
        blocks[*at].commands.append(&mut self.commands);
        let span = blocks[*at].span;
        let end = std::mem::replace(&mut blocks[*at].terminator, Terminator::Unreachable);
        let behind = blocks.push(Block { commands: Vec::new(), terminator: end, span });
        let (mut test, mut others) = (*at, known.others);
        for &literal in &known.literals {
            let text = bytes(&self.program.globals, literal).map(<[u8]>::to_vec);
            if !text.is_some_and(|text| self.take_text_apart(*dst, member, &text, values.clone())) {
                self.commands.clear();
                others = true;
                continue;
            }
            let commands = std::mem::take(&mut self.commands);
            let print = blocks.push(Block { commands, terminator: Terminator::Goto(behind), span: call.span });
            let next = blocks.push(Block { commands: Vec::new(), terminator: Terminator::Goto(behind), span: call.span });
            let is_it = self.is_at(values[member.format], literal);
            blocks[test].terminator = Terminator::Branch(is_it, print, next);
            test = next;
        }
        if others {
            self.leave(call, values[member.format]);
            blocks[test].commands.append(&mut self.commands);
        } else {
            let kind = CommandKind::Unsupported("a format that no call in the program has".into());
            blocks[test].commands.push(Command { kind, span: call.span });
        }
        blocks[test].terminator = Terminator::Goto(behind);
        let chosen = test != *at;
        *at = behind;
        chosen
    }

    /// Whether a `va_list` that is an argument is a pointer to it. With 32 bits it is a copy.
    pub(super) fn passes_lists_by_pointer(&self) -> bool {
        self.program.types.target().pointer_bytes() == 8
    }

    /// Whether a pointer leads to the start of an object.
    fn is_at(&mut self, pointer: ExprId, object: GlobalId) -> ExprId {
        let (ty, span) = (self.program.globals[object].ty, self.span);
        let place = self.body.places.push(Place { kind: PlaceKind::Global(object), ty, volatile: false, span });
        let to_it = self.types().pointer(ty);
        let address = self.body.exprs.push(Expr { kind: ExprKind::AddressOf(place), ty: to_it, span });
        let void = self.pointer();
        let (left, right) = (self.cast(pointer, void), self.cast(address, void));
        let truth = self.types().bool();
        self.body.exprs.push(Expr { kind: ExprKind::Binary(BinaryOp::Eq, left, right), ty: truth, span })
    }

    /// Takes from the list behind the format what the pieces need, in its place.
    pub(super) fn take_arguments(&mut self, pieces: &[Piece], format: usize, values: &mut Vec<ExprId>) -> bool {
        let list = values[format + 1];
        values.truncate(format + 1);
        for piece in pieces {
            let Piece::Conversion { class, width, precision, bytes } = piece else { continue };
            for _ in [width, precision].into_iter().filter(|amount| **amount == Amount::Argument) {
                let int = self.int();
                values.push(self.next_argument(list, int));
            }
            let Some(ty) = self.argument_type(*class, *bytes) else { return false };
            values.push(self.next_argument(list, ty));
        }
        true
    }

    fn argument_type(&mut self, class: Class, bytes: u64) -> Option<TypeId> {
        Some(match class {
            Class::Decimal(_, signed) => self.types().int(8 * bytes as u16, signed),
            Class::Integer(..) | Class::Character => self.types().int(8 * bytes as u16, true),
            Class::Float(..) if bytes == 8 => self.types().intern(Type::Float(FloatFormat::F64)),
            Class::Float(..) => return None,
            Class::String | Class::Pointer(_) | Class::Count(_) => self.pointer(),
        })
    }

    pub(super) fn next_argument(&mut self, list: ExprId, ty: TypeId) -> ExprId {
        let (dst, value): (PlaceId, ExprId) = self.variable(ty);
        self.commands.push(Command { kind: CommandKind::VaArg(dst, list), span: self.span });
        value
    }
}
