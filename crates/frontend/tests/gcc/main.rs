//! The front end against GCC: random declarations, initialisers and constant expressions, each of them a global whose bytes GCC's object
//! file and the model must agree on.

mod constants;
mod initializers;
mod layouts;
mod object_file;
mod random;
mod types;

use loopfrog_frontend::{Options, translate};
use model::{Address, Global, Program, Target};

use object_file::{Content, ObjectFile, Pointer};
use random::Random;

/// Writes a program from random numbers.
type Generator = fn(&mut Random) -> String;

#[test]
fn layouts_agree() {
    agree(layouts::program, 12);
}

#[test]
fn initial_contents_agree() {
    agree(initializers::program, 12);
}

#[test]
fn constant_expressions_agree() {
    agree(constants::program, 4);
}

/// Compares the globals of so many generated programs, for both data models.
fn agree(generate: Generator, programs: u64) {
    for target in [Target::Lp64, Target::Ilp32] {
        for seed in 1..=programs {
            let text = generate(&mut Random::new(seed, target));
            let Some(object) = ObjectFile::compile(&text, target) else {
                eprintln!("skipped: no gcc for {}", target.name());
                break;
            };
            compare(&text, target, &object);
        }
    }
}

fn compare(text: &str, target: Target, object: &ObjectFile) {
    let options = Options { target, ..Options::default() };
    let translation = translate("test.c", text.as_bytes(), &options);
    let Some(program) = translation.program else {
        panic!("{}: {:#?}\n{text}", target.name(), translation.diagnostics.list().first());
    };
    assert_eq!(model::verify(&program), Ok(()), "{text}");
    for global in program.globals.iter().filter(|global| !global.name.contains('.') && global.init.is_some()) {
        let expected = object.content(&global.name);
        let actual = content(&program, global);
        if actual != expected {
            let (target, lines) = (target.name(), mentions(text, &global.name));
            panic!("{target}: `{}`\nmodel: {actual:?}\ngcc:   {expected:?}\n{lines}\n\n{text}", global.name);
        }
    }
}

/// The lines that mention a name, for the message of a failing test.
fn mentions(text: &str, name: &str) -> String {
    let mentions = |line: &&str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    text.lines().filter(mentions).collect::<Vec<_>>().join("\n")
}

/// What an object holds by the model, as an object file would say it.
fn content(program: &Program, global: &Global) -> Content {
    let init = global.init.clone().unwrap_or_default();
    let size = init.size.or_else(|| program.types.size_of(global.ty)).unwrap_or(0);
    let mut bytes = vec![0; size as usize];
    for chunk in &init.chunks {
        bytes[chunk.offset as usize..][..chunk.bytes.len()].copy_from_slice(&chunk.bytes);
    }
    let pointers = init.relocations.iter().map(|relocation| {
        let pointer = match relocation.target {
            Address::Global(target) if program.globals[target].name.starts_with('.') => {
                let mut text = content(program, &program.globals[target]).bytes;
                text.drain(..relocation.addend as usize);
                text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
                Pointer::Text(text)
            }
            Address::Global(target) => Pointer::Symbol(program.globals[target].name.clone(), relocation.addend),
            Address::Function(target) => Pointer::Symbol(program.functions[target].name.clone(), relocation.addend),
            Address::Label(..) | Address::LabelDifference(..) => panic!("labels are not generated"),
        };
        (relocation.offset, pointer)
    });
    Content { bytes, pointers: pointers.collect() }
}
