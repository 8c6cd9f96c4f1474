//! The rules that every model keeps: for each, a program that breaks it.

use crate::common::{SAMPLES, program};
use loopfrog_model::*;

const FUNCTION: FunctionId = Id::new(0);

/// The parts of a small program, ready to be broken.
const SMALL: &str = "model lp64
file \"a.c\"
struct s size 8 align 4 {
    a: i32 at 0
    b: u3 at 4 bit 2
}
global g: [4]u8 = \"abcd\"
global h: [2]*void = {
    0: &g
    8: &&b1 of f
}
function f(x: i32, p: *i32, s: struct s, c: bool) -> i32 {
    local y: i32
    temp #1: u8
    labels b1
    while b1
b0:
    live y
    y = x + 1
    #1 = g[x]
    s.b = 3
    y = f(x, p, s, c)
    goto b1
b1:
    if c goto b1 else b2
b2:
    switch x {
        case -3 ... 4: b0
        case 7: b1
        default: b0
    }
}
";

fn first_flaw(change: impl FnOnce(&mut Program)) -> String {
    let mut program = program(SMALL);
    change(&mut program);
    match verify(&program) {
        Ok(()) => "no flaw".to_string(),
        Err(flaws) => flaws[0].to_string(),
    }
}

fn first_body_flaw(change: impl FnOnce(&mut Body)) -> String {
    first_flaw(|program| change(program.functions[FUNCTION].body.as_mut().expect("it has a body")))
}

fn find_expr(body: &Body, matches: impl Fn(&ExprKind) -> bool) -> ExprId {
    body.exprs.enumerate().find(|(_, expr)| matches(&expr.kind)).expect("there is such an expression").0
}

fn find_place(body: &Body, matches: impl Fn(&PlaceKind) -> bool) -> PlaceId {
    body.places.enumerate().find(|(_, place)| matches(&place.kind)).expect("there is such a place").0
}

#[test]
fn samples_are_verified() {
    assert_eq!(first_flaw(|_| ()), "no flaw");
    for sample in SAMPLES {
        assert_eq!(verify(&program(sample)), Ok(()));
    }
}

#[test]
fn types() {
    let intern = |ty: Type| first_flaw(|program| _ = program.types.intern(ty));
    assert_eq!(intern(Type::Pointer(Id::new(999))), "type 11: it is made of a type that does not come before it");
    assert_eq!(intern(Type::Int { bits: 0, signed: true }), "type 11: an integer has 1 to 128 bits");
    assert_eq!(intern(Type::Int { bits: 129, signed: true }), "type 11: an integer has 1 to 128 bits");
    assert_eq!(intern(Type::Record(Id::new(1))), "type 11: there is no such record");
    let array_of_void = first_flaw(|program| {
        let void = program.types.void();
        program.types.array(void, Some(3));
    });
    assert_eq!(array_of_void, "type 11: an array has elements without size");
}

#[test]
fn records() {
    let change = |change: fn(&mut Record, TypeId)| {
        first_flaw(|program| {
            let own = program.types.intern(Type::Record(Id::new(0)));
            let array = program.types.array(own, Some(1));
            change(program.types.record_mut(Id::new(0)), array);
        })
    };
    let layout = |record: &mut Record| record.layout.take().expect("it has fields");
    assert_eq!(
        change(|record, own| {
            record.layout.as_mut().expect("it has fields").fields[0] = Field { name: String::new(), ty: own, offset: 0, bit: None };
        }),
        "record 0 `s`: it contains itself"
    );
    assert_eq!(
        change(|record, _| record.layout.as_mut().expect("it has fields").fields[0].offset = 5),
        "record 0 `s`: a field reaches beyond the end"
    );
    assert_eq!(
        change(|record, _| record.layout.as_mut().expect("it has fields").fields[1].bit = Some(8)),
        "record 0 `s`: a bit-field begins outside its byte"
    );
    assert_eq!(
        change(|record, _| record.layout.as_mut().expect("it has fields").align = 3),
        "record 0 `s`: the alignment is not a power of two"
    );
    assert_eq!(
        change(|record, _| record.layout.as_mut().expect("it has fields").fields[0].ty = Id::new(99)),
        "record 0 `s`: there is no such type"
    );
    let incomplete = first_flaw(|program| drop(layout(program.types.record_mut(Id::new(0)))));
    assert_eq!(incomplete, "function `f`: place 7: a field of an incomplete record");
}

#[test]
fn nesting_is_bounded() {
    let mut program = Program::new(Target::Lp64);
    let mut ty = program.types.int(8, false);
    for _ in 0..100_000 {
        ty = program.types.array(ty, Some(1));
    }
    let flaws = verify(&program).expect_err("this is too deep");
    assert!(flaws[0].to_string().ends_with("arrays and records lie inside each other too deeply"));

    let mut program = Program::new(Target::Lp64);
    let mut ty = program.types.int(8, false);
    for _ in 0..100_000 {
        let field = Field { name: String::new(), ty, offset: 0, bit: None };
        let layout = Some(Layout { fields: vec![field], size: 1, align: 1 });
        let record = program.types.add_record(Record { kind: RecordKind::Struct, name: String::new(), layout, span: Span::NONE });
        ty = program.types.intern(Type::Record(record));
    }
    assert!(verify(&program).is_err());
}

#[test]
fn globals() {
    let init = |change: fn(&mut Init)| first_flaw(|program| change(program.globals[Id::new(0)].init.as_mut().expect("it has a content")));
    assert_eq!(init(|init| init.chunks[0].bytes.push(1)), "global `g`: its content reaches beyond its end");
    assert_eq!(init(|init| init.chunks[0].offset = u64::MAX), "global `g`: its content reaches beyond its end");
    assert_eq!(init(|init| init.chunks.push(init.chunks[0].clone())), "global `g`: its content overlaps or is out of order");
    assert_eq!(init(|init| init.chunks[0].bytes.clear()), "global `g`: a stretch of its content is empty");
    let address = |change: fn(&mut Relocation)| {
        first_flaw(|program| change(&mut program.globals[Id::new(1)].init.as_mut().expect("it has a content").relocations[1]))
    };
    assert_eq!(address(|at| at.bytes = 5), "global `h`: an address in it has neither 4 nor 8 bytes");
    assert_eq!(address(|at| at.offset = 4), "global `h`: its content overlaps or is out of order");
    assert_eq!(address(|at| at.target = Address::Global(Id::new(2))), "global `h`: it holds the address of an object that does not exist");
    assert_eq!(
        address(|at| at.target = Address::Label(FUNCTION, Id::new(0))),
        "global `h`: it holds the address of a label that its function does not list as taken"
    );
}

#[test]
fn spans() {
    let span = |span: Span| first_body_flaw(|body| body.end = span);
    let good = Span { file: Id::new(0), line: 1, column: 1, length: 1 };
    assert_eq!(span(good), "no flaw");
    assert_eq!(span(Span { file: Id::new(1), ..good }), "function `f`: a span is in a file that does not exist");
    assert_eq!(span(Span { line: 0, ..good }), "function `f`: a span has a column but no line");
    assert_eq!(span(Span { length: u32::MAX, ..good }), "function `f`: a span is longer than any line");
}

#[test]
fn declarations() {
    assert_eq!(first_body_flaw(|body| body.params = 99), "function `f`: it has more parameters than locals");
    assert_eq!(first_body_flaw(|body| body.params = 3), "function `f`: its parameters are not those of its type");
    assert_eq!(first_body_flaw(|body| body.blocks.clear()), "function `f`: it has no block");
    assert_eq!(first_body_flaw(|body| body.loops[0].head = Id::new(9)), "function `f`: there is no such block");
    assert_eq!(first_body_flaw(|body| body.address_taken.push(Id::new(9))), "function `f`: there is no such block");
    let no_function = first_flaw(|program| program.functions[FUNCTION].ty = program.types.bool());
    assert_eq!(no_function, "function `f`: its type is not that of a function");
}

#[test]
fn creation_order() {
    let itself = first_body_flaw(|body| {
        let sum = find_expr(body, |kind| matches!(kind, ExprKind::Binary(..)));
        body.exprs[sum].kind = ExprKind::Binary(BinaryOp::Add, sum, sum);
    });
    assert!(itself.ends_with("it refers to an expression that does not come before it"), "{itself}");
    let circle = first_body_flaw(|body| {
        let index = find_place(body, |kind| matches!(kind, PlaceKind::Index(..)));
        let PlaceKind::Index(_, operand) = body.places[index].kind else { panic!("it is an element") };
        body.exprs[operand].kind = ExprKind::Load(index);
    });
    assert!(circle.ends_with("it refers to a place that does not come before it"), "{circle}");
    let part_of_itself = first_body_flaw(|body| {
        let field = find_place(body, |kind| matches!(kind, PlaceKind::Field(..)));
        body.places[field].kind = PlaceKind::Field(field, 0);
    });
    assert!(part_of_itself.ends_with("it refers to a place that does not come before it"), "{part_of_itself}");
}

#[test]
fn expressions() {
    let sum = |change: fn(&mut Expr)| {
        first_body_flaw(|body| {
            let id = find_expr(body, |kind| matches!(kind, ExprKind::Binary(..)));
            change(&mut body.exprs[id]);
        })
    };
    let ends = |text: String, end: &str| assert!(text.ends_with(end), "{text}");
    ends(sum(|expr| expr.kind = ExprKind::Int(1 << 32)), "the constant is wider than its type");
    ends(sum(|expr| expr.kind = ExprKind::Float(0)), "a float constant has another type");
    ends(sum(|expr| expr.kind = ExprKind::Function(Id::new(9))), "there is no such function");
    ends(sum(|expr| expr.kind = ExprKind::Function(Id::new(0))), "its type is not a pointer to a function");
    ends(sum(|expr| expr.kind = ExprKind::Label(Id::new(0))), "the label is not among those whose address is taken");
    ends(sum(|expr| expr.kind = ExprKind::Label(Id::new(1))), "the address of a label is a pointer to void");
    ends(sum(|expr| expr.kind = ExprKind::Load(Id::new(99))), "there is no such place");
    ends(sum(|expr| expr.kind = ExprKind::AddressOf(Id::new(0))), "its type is not a pointer to that of the place");
    ends(sum(|expr| expr.kind = ExprKind::Unary(UnaryOp::Not, Id::new(0))), "the operand has a wrong type");
    ends(sum(|expr| expr.kind = ExprKind::Binary(BinaryOp::Eq, Id::new(0), Id::new(0))), "the result has a wrong type");
    ends(sum(|expr| expr.kind = ExprKind::PointerAdd(Id::new(0), Id::new(0))), "it moves what is no pointer of its type");
    ends(sum(|expr| expr.kind = ExprKind::PointerDiff(Id::new(0), Id::new(0))), "the operands are not pointers of one type");
    ends(sum(|expr| expr.kind = ExprKind::Select(Id::new(0), Id::new(0), Id::new(0))), "the condition is no Bool");
    ends(sum(|expr| expr.kind = ExprKind::Query(Query::Alive, Id::new(0))), "it asks about what is no pointer");
    ends(sum(|expr| expr.kind = ExprKind::SameObject(Id::new(0), Id::new(0))), "it asks about what is no pointer");
    ends(sum(|expr| expr.kind = ExprKind::Initialised(Id::new(0))), "its type is not Bool");
    ends(sum(|expr| expr.kind = ExprKind::HeapEmpty), "its type is not Bool");
    ends(sum(|expr| expr.ty = Id::new(99)), "there is no such type");
    let offset = first_flaw(|program| {
        let ty = program.types.int(32, true);
        let body = program.functions[FUNCTION].body.as_mut().expect("it has a body");
        let pointer =
            body.exprs.iter().position(|expr| matches!(program.types.get(expr.ty), Type::Pointer(_))).expect("there is a pointer");
        body.exprs.push(Expr { kind: ExprKind::Query(Query::Offset, Id::new(pointer as u32)), ty, span: Span::NONE });
    });
    ends(offset, "the answer has another type");
    let bit_field = first_flaw(|program| {
        let u3 = program.types.int(3, false);
        let ty = program.types.pointer(u3);
        let body = program.functions[FUNCTION].body.as_mut().expect("it has a body");
        let field = find_place(body, |kind| matches!(kind, PlaceKind::Field(..)));
        body.exprs.push(Expr { kind: ExprKind::AddressOf(field), ty, span: Span::NONE });
    });
    ends(bit_field, "the address of a bit-field");
    let casts = |from: fn(&ExprKind) -> bool, to: Type| {
        first_flaw(|program| {
            let ty = program.types.intern(to);
            let body = program.functions[FUNCTION].body.as_mut().expect("it has a body");
            let from = find_expr(body, from);
            body.exprs.push(Expr { kind: ExprKind::Cast(from), ty, span: Span::NONE });
        })
    };
    ends(casts(|kind| matches!(kind, ExprKind::Binary(..)), Type::Bool), "a cast to Bool");
    assert_eq!(casts(|kind| matches!(kind, ExprKind::Binary(..)), Type::Float(FloatFormat::X87)), "no flaw");
}

#[test]
fn commands_and_terminators() {
    let command = |at: usize, change: fn(&mut CommandKind)| first_body_flaw(|body| change(&mut body.blocks[Id::new(0)].commands[at].kind));
    let ends = |text: String, end: &str| assert!(text.ends_with(end), "{text}");
    ends(command(0, |kind| *kind = CommandKind::Live(Id::new(0))), "a parameter or temporary has no lifetime of its own");
    ends(command(0, |kind| *kind = CommandKind::Live(Id::new(99))), "there is no such local");
    ends(command(0, |kind| *kind = CommandKind::Assume(Id::new(0))), "the condition is no Bool");
    ends(command(0, |kind| *kind = CommandKind::VaEnd(Id::new(0))), "the operand is no pointer");
    ends(command(0, |kind| *kind = CommandKind::Havoc(Id::new(99))), "there is no such place");
    ends(command(1, |kind| *kind = CommandKind::Assign { dst: Id::new(0), src: Id::new(99) }), "there is no such expression");
    ends(
        command(4, |kind| {
            if let CommandKind::Call { args, .. } = kind {
                args.pop();
            }
        }),
        "the number of arguments is wrong",
    );
    ends(
        command(4, |kind| {
            if let CommandKind::Call { args, .. } = kind {
                args.swap(0, 1);
            }
        }),
        "an argument has another type than its parameter",
    );
    let terminator = |change: fn(&mut Terminator)| first_body_flaw(|body| change(&mut body.blocks[Id::new(2)].terminator));
    ends(terminator(|end| *end = Terminator::Goto(Id::new(3))), "there is no such block");
    ends(terminator(|end| *end = Terminator::Branch(Id::new(0), Id::new(0), Id::new(0))), "the condition is no Bool");
    ends(terminator(|end| *end = Terminator::Computed(Id::new(0))), "the operand is no pointer");
}

#[test]
fn cases_are_disjoint_ranges() {
    let cases = |change: fn(&mut Vec<Case>)| {
        first_body_flaw(|body| {
            let Terminator::Switch { cases, .. } = &mut body.blocks[Id::new(2)].terminator else { panic!("it is a switch") };
            change(cases);
        })
    };
    let ends = |text: String, end: &str| assert!(text.ends_with(end), "{text}");
    ends(cases(|cases| cases[1].low = 4), "two cases overlap");
    ends(cases(|cases| cases[1].high = 6), "a case is an empty range");
    ends(cases(|cases| cases[1].high = 1 << 32), "the constant is wider than its type");
    ends(cases(|cases| cases[1].target = Id::new(3)), "there is no such block");
}
