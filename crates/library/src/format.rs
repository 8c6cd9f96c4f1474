//! Calls of the printf and scanf families, taken apart by their format.
//!
//! What such a call reads and writes depends on its format, which no C function without a loop can look at. Where the format is a literal,
//! the call becomes one call for each conversion and one for the whole (`models/format.c`); all its arguments are evaluated before. Where
//! it is not, or has conversions that are not known here, or does not fit the arguments, the call stays as it is, a call of a function
//! without body, after a check that the format is a string.
//!
//! A format that is a parameter, as it mostly is where a list of arguments comes with it, mostly comes from callers that have literals. Then the call becomes a choice
//! between these (`format/parameter.rs`).

mod parameter;
mod parse;
mod scan;

use std::collections::BTreeSet;

use model::{
    Arena, Body, Callee, Command, CommandKind, Expr, ExprId, ExprKind, Function, FunctionId, GlobalId, Linkage, Local, LocalId, Place,
    PlaceId, PlaceKind, Program, Span, Type, TypeId, Types,
};
use rustc_hash::FxHashMap;

use parse::{Amount, Class, Piece};
use scan::From;

/// Where the text goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum To {
    /// Standard output, the system's log, or a file of which only the number is known.
    Output,
    /// The stream that is the first argument.
    Stream,
    /// The buffer that is the first argument.
    Buffer,
    /// The same, with its size as the second.
    Bounded,
    /// A new object, to which the pointer leads afterwards that the first argument leads to.
    New,
}

/// What a function does with the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    Print(To),
    Scan(From),
}

/// A function of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Member {
    task: Task,
    /// Which argument is the format.
    format: usize,
    /// Whether what belongs to the format comes as a `va_list` behind it, instead of as arguments.
    list: bool,
}

/// The functions that print: where their text goes, which argument is the format. Those whose names begin with `v` or `__v` take a list.
const FAMILY: &[(&str, To, usize)] = &[
    ("printf", To::Output, 0),
    ("__printf_chk", To::Output, 1),
    ("dprintf", To::Output, 1),
    ("syslog", To::Output, 1),
    ("__syslog_chk", To::Output, 2),
    ("fprintf", To::Stream, 1),
    ("__fprintf_chk", To::Stream, 2),
    ("sprintf", To::Buffer, 1),
    ("__sprintf_chk", To::Buffer, 3),
    ("snprintf", To::Bounded, 2),
    ("__snprintf_chk", To::Bounded, 4),
    ("asprintf", To::New, 1),
    ("__asprintf_chk", To::New, 2),
    ("vprintf", To::Output, 0),
    ("__vprintf_chk", To::Output, 1),
    ("vdprintf", To::Output, 1),
    ("vsyslog", To::Output, 1),
    ("vfprintf", To::Stream, 1),
    ("__vfprintf_chk", To::Stream, 2),
    ("vsprintf", To::Buffer, 1),
    ("__vsprintf_chk", To::Buffer, 3),
    ("vsnprintf", To::Bounded, 2),
    ("__vsnprintf_chk", To::Bounded, 4),
    ("vasprintf", To::New, 1),
    ("__vasprintf_chk", To::New, 2),
];

/// Those that scan: where their text comes from.
const SCANNING: &[(&str, From)] = &[
    ("scanf", From::Input),
    ("fscanf", From::Stream),
    ("sscanf", From::String),
    ("vscanf", From::Input),
    ("vfscanf", From::Stream),
    ("vsscanf", From::String),
];

fn family(function: &Function) -> Option<Member> {
    let name = function.link_name.as_deref().unwrap_or(&function.name);
    if function.body.is_some() {
        return None;
    }
    if let Some((_, to, format)) = FAMILY.iter().find(|(known, ..)| *known == name) {
        return Some(Member { task: Task::Print(*to), format: *format, list: name.trim_start_matches('_').starts_with('v') });
    }
    // glibc has a name for each standard: only `%a`, which may be a float or an old way to allocate, means something else.
    let name = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    let (_, from) = SCANNING.iter().find(|(known, _)| *known == name)?;
    Some(Member { task: Task::Scan(*from), format: usize::from(*from != From::Input), list: name.starts_with('v') })
}

/// Takes the calls of a program apart; the names of the functions of which some call was.
pub(crate) fn expand(program: &mut Program) -> BTreeSet<String> {
    let mut expanded = BTreeSet::new();
    let members: FxHashMap<FunctionId, Member> =
        program.functions.enumerate().filter_map(|(id, function)| Some((id, family(function)?))).collect();
    if members.is_empty() {
        return expanded;
    }
    let formats = parameter::Formats::of(program, &members);
    let mut helpers = FxHashMap::default();
    for id in program.functions.ids().collect::<Vec<_>>() {
        let Some(mut body) = program.functions[id].body.take() else { continue };
        let kept = kept_values(&body);
        let mut blocks = std::mem::take(&mut body.blocks);
        for mut at in blocks.ids().collect::<Vec<_>>() {
            for command in std::mem::take(&mut blocks[at].commands) {
                let Some((callee, dst, member, args)) = formatted(&members, &command) else {
                    blocks[at].commands.push(command);
                    continue;
                };
                let mut expansion =
                    Expansion { program, helpers: &mut helpers, kept: &kept, body: &mut body, span: command.span, commands: Vec::new() };
                let done = if expansion.take_apart(dst, member, args) {
                    blocks[at].commands.append(&mut expansion.commands);
                    true
                } else if let Some(known) = formats.that_may_come(id, expansion.body, &kept, member, args) {
                    expansion.choose(&mut blocks, &mut at, &command, member, known)
                } else {
                    expansion.leave(&command, args[member.format]);
                    blocks[at].commands.append(&mut expansion.commands);
                    false
                };
                if done {
                    expanded.insert(program.functions[callee].name.clone());
                }
            }
        }
        body.blocks = blocks;
        program.functions[id].body = Some(body);
    }
    expanded
}

/// The function of the family that a command calls, where its result goes, and what it gets.
fn formatted<'c>(
    members: &FxHashMap<FunctionId, Member>,
    command: &'c Command,
) -> Option<(FunctionId, Option<PlaceId>, Member, &'c [ExprId])> {
    let CommandKind::Call { dst, callee: Callee::Direct(callee), args } = &command.kind else { return None };
    let member = members.get(callee).copied().filter(|member| member.format + usize::from(member.list) < args.len())?;
    Some((*callee, *dst, member, args))
}

/// The commands that take the place of a call.
struct Expansion<'a> {
    program: &'a mut Program,
    /// The functions of `models/format.c` and `models/scan.c` that were declared so far.
    helpers: &'a mut FxHashMap<&'static str, FunctionId>,
    kept: &'a KeptValues,
    body: &'a mut Body,
    span: Span,
    commands: Vec<Command>,
}

impl Expansion<'_> {
    fn types(&mut self) -> &mut Types {
        &mut self.program.types
    }
    fn int(&mut self) -> TypeId {
        self.types().int(32, true)
    }
    fn size(&mut self) -> TypeId {
        let bits = self.types().target().pointer_bits();
        self.types().int(bits, false)
    }
    fn pointer(&mut self) -> TypeId {
        let void = self.types().void();
        self.types().pointer(void)
    }

    /// Prints or scans piece by piece. False if that is not possible; the commands are useless then.
    fn take_apart(&mut self, dst: Option<PlaceId>, member: Member, args: &[ExprId]) -> bool {
        let Some(text) = literal(&self.program.globals, self.body, self.kept, args[member.format]).map(<[u8]>::to_vec) else {
            return false;
        };
        if member.list && !self.passes_lists_by_pointer() || args.iter().any(|arg| !self.program.types.is_scalar(self.body.exprs[*arg].ty))
        {
            return false;
        }
        let values: Vec<ExprId> = args.iter().map(|arg| self.evaluated(*arg)).collect();
        self.take_text_apart(dst, member, &text, values)
    }

    /// The same for what the arguments were evaluated to, and the bytes of a format.
    fn take_text_apart(&mut self, dst: Option<PlaceId>, member: Member, text: &[u8], values: Vec<ExprId>) -> bool {
        match member.task {
            Task::Print(to) => self.print_text(dst, to, member, text, values),
            Task::Scan(from) => self.scan_text(dst, from, member, text, values),
        }
    }

    fn print_text(
        &mut self,
        dst: Option<PlaceId>,
        to: To,
        Member { format, list, .. }: Member,
        text: &[u8],
        mut values: Vec<ExprId>,
    ) -> bool {
        let word = self.program.types.target().pointer_bytes();
        let is_plain = !text.contains(&b'%');
        let Some(pieces) = parse::pieces(text, word) else { return false };
        if list && !self.take_arguments(&pieces, format, &mut values) {
            return false;
        }
        let mut rest = values[format + 1..].iter().copied();
        if let (Some(from), Some(size)) = (self.copied(is_plain, &pieces, &values[format..]), self.room(to, &values)) {
            return self.finish("__loopfrog_print_copy", dst, vec![values[0], size, from]);
        }
        let fixed: u64 = pieces.iter().map(|piece| if let Piece::Text(length) = piece { *length } else { 0 }).sum();
        let mut count = self.size_constant(fixed);
        let mut is_text = true;
        let mut stores = Vec::new();
        for piece in &pieces {
            match self.piece(count, piece, &mut rest, &mut stores) {
                Some(sum) => count = sum,
                None => return false,
            }
            is_text &= !matches!(piece, Piece::Conversion { class: Class::Character, .. });
        }
        // What is stored must not change what is printed.
        for (pointer, bytes) in stores {
            let bytes = self.size_constant(bytes);
            self.call("__loopfrog_print_count", None, vec![pointer, bytes]);
        }
        let bool_type = self.types().bool();
        let is_text = self.constant(u128::from(is_text), bool_type);
        match (to, values.as_slice()) {
            (To::Output, _) => self.finish("__loopfrog_print", dst, vec![count]),
            (To::Stream, [stream, ..]) => self.finish("__loopfrog_print_stream", dst, vec![*stream, count]),
            (To::Buffer, [buffer, ..]) => self.finish("__loopfrog_print_buffer", dst, vec![*buffer, count, is_text]),
            (To::New, [place, ..]) => self.finish("__loopfrog_print_new", dst, vec![*place, count, is_text]),
            (To::Bounded, [buffer, size, ..]) => self.finish("__loopfrog_print_bounded", dst, vec![*buffer, *size, count, is_text]),
            _ => false,
        }
    }

    /// Leaves a call as it is.
    fn leave(&mut self, call: &Command, format: ExprId) {
        self.commands.clear();
        self.check_format(format);
        self.commands.push(call.clone());
    }

    /// The string of which the text is a copy: the format itself, which comes first, or the argument of `%s`.
    fn copied(&self, is_plain: bool, pieces: &[Piece], values: &[ExprId]) -> Option<ExprId> {
        match pieces {
            _ if is_plain => values.first().copied(),
            [Piece::Conversion { class: Class::String, width: Amount::Absent, precision: Amount::Absent, .. }] => {
                let is_pointer = |value: &ExprId| matches!(self.program.types.get(self.body.exprs[*value].ty), Type::Pointer(_));
                values.get(1).copied().filter(is_pointer)
            }
            _ => None,
        }
    }

    /// How much of the text a buffer takes, if it goes to one.
    fn room(&mut self, to: To, values: &[ExprId]) -> Option<ExprId> {
        match to {
            To::Buffer => Some(self.size_constant(u64::MAX >> (64 - self.program.types.target().pointer_bits()))),
            To::Bounded => values.get(1).copied(),
            To::Output | To::Stream | To::New => None,
        }
    }

    fn check_format(&mut self, format: ExprId) {
        if matches!(self.program.types.get(self.body.exprs[format].ty), Type::Pointer(_)) {
            self.call("__loopfrog_print_format", None, vec![format]);
        }
    }

    /// Prints a piece: the number of bytes with it.
    fn piece(
        &mut self,
        count: ExprId,
        piece: &Piece,
        rest: &mut impl Iterator<Item = ExprId>,
        stores: &mut Vec<(ExprId, u64)>,
    ) -> Option<ExprId> {
        let (class, width, precision) = match piece {
            // Counted before.
            Piece::Text(_) => return Some(count),
            Piece::Conversion { class, width, precision, .. } => (class, width, precision),
        };
        let width = self.amount(*width, 0, rest)?;
        let is_argument = *precision == Amount::Argument;
        let precision = self.amount(*precision, -1, rest)?;
        let value = rest.next()?;
        let ty = self.program.types.get(self.body.exprs[value].ty);
        let fits = match class {
            Class::Integer(..) | Class::Decimal(..) | Class::Character => matches!(ty, Type::Int { .. } | Type::Bool),
            Class::Float(..) => matches!(ty, Type::Float(_)),
            Class::String | Class::Pointer(_) | Class::Count(_) => matches!(ty, Type::Pointer(_)),
        };
        match class {
            _ if !fits => None,
            Class::Count(bytes) => {
                stores.push((value, *bytes));
                Some(count)
            }
            Class::String => self.sum("__loopfrog_print_string", vec![count, value, width, precision]),
            Class::Character => self.sum("__loopfrog_print_character", vec![count, width]),
            Class::Decimal(bits, signed) => {
                let printed = self.types().int(*bits, *signed);
                let value = self.cast(value, printed);
                let name = if *signed { "__loopfrog_print_signed" } else { "__loopfrog_print_unsigned" };
                self.sum(name, vec![count, value, width])
            }
            Class::Integer(low, high) | Class::Float(low, high) | Class::Pointer((low, high)) => {
                let (low, high) = (self.size_constant(*low), self.size_constant(*high));
                if is_argument {
                    self.sum("__loopfrog_print_precise", vec![count, low, high, width, precision])
                } else {
                    self.sum("__loopfrog_print_number", vec![count, low, high, width])
                }
            }
        }
    }

    /// A width or precision as a number.
    fn amount(&mut self, amount: Amount, absent: i32, rest: &mut impl Iterator<Item = ExprId>) -> Option<ExprId> {
        match amount {
            Amount::Absent => Some(self.int_constant(absent)),
            Amount::Fixed(number) => Some(self.int_constant(number)),
            Amount::Argument => rest.next().filter(|value| matches!(self.program.types.get(self.body.exprs[*value].ty), Type::Int { .. })),
        }
    }

    // ---- commands and expressions -----------------------------------------------------------------------------------------------------

    fn constant(&mut self, pattern: u128, ty: TypeId) -> ExprId {
        self.body.exprs.push(Expr { kind: ExprKind::Int(pattern), ty, span: self.span })
    }
    fn size_constant(&mut self, value: u64) -> ExprId {
        let ty = self.size();
        self.constant(u128::from(value), ty)
    }
    fn int_constant(&mut self, value: i32) -> ExprId {
        let ty = self.int();
        self.constant(u128::from(value as u32), ty)
    }

    /// A new variable: its place and its value.
    fn variable(&mut self, ty: TypeId) -> (PlaceId, ExprId) {
        let span = self.span;
        let local = self.body.locals.push(Local { name: String::new(), ty, span, temporary: true });
        let place = self.body.places.push(Place { kind: PlaceKind::Local(local), ty, volatile: false, span });
        (place, self.body.exprs.push(Expr { kind: ExprKind::Load(place), ty, span }))
    }

    /// The value that an argument has before anything is printed.
    fn evaluated(&mut self, arg: ExprId) -> ExprId {
        let (dst, value) = self.variable(self.body.exprs[arg].ty);
        self.commands.push(Command { kind: CommandKind::Assign { dst, src: arg }, span: self.span });
        value
    }

    fn sum(&mut self, name: &'static str, args: Vec<ExprId>) -> Option<ExprId> {
        let ty = self.size();
        let (dst, value) = self.variable(ty);
        self.call(name, Some(dst), args);
        Some(value)
    }

    fn finish(&mut self, name: &'static str, dst: Option<PlaceId>, args: Vec<ExprId>) -> bool {
        let int = self.int();
        let fits = dst.is_none_or(|dst| self.body.places[dst].ty == int);
        if fits {
            self.call(name, dst, args);
        }
        fits
    }

    fn call(&mut self, name: &'static str, dst: Option<PlaceId>, args: Vec<ExprId>) {
        let (function, params) = self.helper(name);
        let args = args.into_iter().zip(params).map(|(arg, ty)| self.cast(arg, ty)).collect();
        self.commands.push(Command { kind: CommandKind::Call { dst, callee: Callee::Direct(function), args }, span: self.span });
    }

    fn cast(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        if self.body.exprs[value].ty == ty {
            return value;
        }
        self.body.exprs.push(Expr { kind: ExprKind::Cast(value), ty, span: self.span })
    }

    /// A function of `models/format.c` or `models/scan.c` and the types of its parameters.
    fn helper(&mut self, name: &'static str) -> (FunctionId, Vec<TypeId>) {
        let (int, size, pointer, void, truth) = (self.int(), self.size(), self.pointer(), self.types().void(), self.types().bool());
        let (ret, params) = match name {
            "__loopfrog_print_string" => (size, vec![size, pointer, int, int]),
            "__loopfrog_print_number" => (size, vec![size, size, size, int]),
            "__loopfrog_print_signed" => (size, vec![size, self.types().int(64, true), int]),
            "__loopfrog_print_unsigned" => (size, vec![size, self.types().int(64, false), int]),
            "__loopfrog_print_character" => (size, vec![size, int]),
            "__loopfrog_print_copy" => (int, vec![pointer, size, pointer]),
            "__loopfrog_print_precise" => (size, vec![size, size, size, int, int]),
            "__loopfrog_print_count" => (void, vec![pointer, size]),
            "__loopfrog_print" => (int, vec![size]),
            "__loopfrog_print_stream" => (int, vec![pointer, size]),
            "__loopfrog_print_buffer" | "__loopfrog_print_new" => (int, vec![pointer, size, truth]),
            "__loopfrog_print_bounded" => (int, vec![pointer, size, size, truth]),
            "__loopfrog_scan_input" => (size, vec![]),
            "__loopfrog_scan_stream" | "__loopfrog_scan_string" => (size, vec![pointer]),
            "__loopfrog_scan_number" | "__loopfrog_scan_count" => (int, vec![int, pointer, size]),
            "__loopfrog_scan_text" | "__loopfrog_scan_block" => (int, vec![int, pointer, size, size]),
            "__loopfrog_scan_end" => (int, vec![int]),
            _ => (void, vec![pointer]),
        };
        if let Some(function) = self.helpers.get(name) {
            return (*function, params);
        }
        let ty = self.types().intern(Type::Function { ret, params: params.clone(), variadic: false });
        let function = self.program.functions.push(Function {
            name: name.into(),
            link_name: None,
            ty,
            linkage: Linkage::External,
            attributes: model::Attributes::default(),
            body: None,
            span: Span::NONE,
        });
        self.helpers.insert(name, function);
        (function, params)
    }
}

/// The values of temporaries that only one command writes; none for those that several write.
type KeptValues = FxHashMap<LocalId, Option<ExprId>>;

/// The front end keeps arguments in temporaries while others are evaluated, the format among them.
fn kept_values(body: &Body) -> KeptValues {
    let mut kept = KeptValues::default();
    for command in body.blocks.iter().flat_map(|block| &block.commands) {
        let Some(PlaceKind::Local(local)) = command.kind.place().map(|place| &body.places[place].kind) else { continue };
        let value = match command.kind {
            CommandKind::Assign { src, .. } if body.locals[*local].temporary => Some(src),
            _ => None,
        };
        kept.entry(*local).and_modify(|known| *known = None).or_insert(value);
    }
    kept
}

/// What an expression stands for, behind casts and temporaries.
fn origin(body: &Body, kept: &KeptValues, mut expr: ExprId) -> ExprId {
    // Each step leads to an earlier expression or to the one value of a temporary, which was written before.
    for _ in 0..body.exprs.len() {
        expr = match body.exprs[expr].kind {
            ExprKind::Cast(value) => value,
            ExprKind::Load(place) => match body.places[place].kind {
                PlaceKind::Local(local) => match kept.get(&local) {
                    Some(Some(value)) => *value,
                    _ => break,
                },
                _ => break,
            },
            _ => break,
        };
    }
    expr
}

/// The bytes of the string literal that an expression points to, up to the zero byte that ends them.
fn literal<'a>(globals: &'a Arena<model::Global>, body: &Body, kept: &KeptValues, expr: ExprId) -> Option<&'a [u8]> {
    bytes(globals, literal_object(body, kept, expr)?)
}

/// The object that an expression points to, at its start.
fn literal_object(body: &Body, kept: &KeptValues, expr: ExprId) -> Option<GlobalId> {
    let ExprKind::AddressOf(mut place) = body.exprs[origin(body, kept, expr)].kind else { return None };
    while let PlaceKind::Index(base, index) = body.places[place].kind {
        if !matches!(body.exprs[index].kind, ExprKind::Int(0) | ExprKind::Zero) {
            return None;
        }
        place = base;
    }
    let PlaceKind::Global(global) = body.places[place].kind else { return None };
    Some(global)
}

/// The bytes of a string literal, up to the zero byte that ends them.
fn bytes(globals: &Arena<model::Global>, global: GlobalId) -> Option<&[u8]> {
    let global = globals.get(global).filter(|global| global.constant)?;
    let init = global.init.as_ref().filter(|init| init.relocations.is_empty())?;
    match init.chunks.as_slice() {
        [] => Some(&[]),
        [chunk, ..] if chunk.offset == 0 => chunk.bytes.split(|byte| *byte == 0).next(),
        _ => None,
    }
}
