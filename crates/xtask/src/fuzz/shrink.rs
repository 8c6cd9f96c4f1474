//! Programs become smaller as long as what was found in them stays.

use super::tree::{Node, Program, numbers};

/// Makes a program smaller: parts are taken away, blocks become what is inside of them, numbers become smaller. `persists` says whether the finding is
/// still there; it is asked so many times at most.
pub fn shrink(mut program: Program, mut attempts: usize, persists: impl Fn(&Program) -> bool) -> Program {
    loop {
        let before = program.clone();
        let mut position = 0;
        // What is tried next at a position depends on what stands there now.
        while let Some(smaller) = edits(&program, position) {
            let taken = smaller.into_iter().find(|smaller| {
                let asked = attempts > 0;
                attempts = attempts.saturating_sub(1);
                asked && persists(smaller)
            });
            match taken {
                Some(smaller) => program = smaller,
                None => position += 1,
            }
        }
        for constant in program.constants().into_iter().rev().filter(|constant| *constant > 1) {
            for smaller in [1, constant / 2, constant - 1].map(|value| with_number(&program, constant, value)) {
                if attempts > 0 && persists(&smaller) {
                    program = smaller;
                    break;
                }
                attempts = attempts.saturating_sub(1);
            }
        }
        if program == before || attempts == 0 {
            return program;
        }
    }
}

/// The program without its part at a position, in the order of lines, or with less of it; none behind the last.
fn edits(program: &Program, position: usize) -> Option<Vec<Program>> {
    let with = |edit: Edit| {
        let mut smaller = program.clone();
        apply(&mut smaller.nodes, &mut position.clone(), edit).then_some(smaller)
    };
    let removed = with(Edit::Remove)?;
    Some([Some(removed), with(Edit::Open)].into_iter().flatten().collect())
}

#[derive(Clone, Copy)]
enum Edit {
    Remove,
    /// A block becomes what is inside.
    Open,
}

/// Applies an edit at a position; false if it cannot be.
fn apply(nodes: &mut Vec<Node>, position: &mut usize, edit: Edit) -> bool {
    for place in 0..nodes.len() {
        if *position == 0 {
            match (edit, &mut nodes[place]) {
                (Edit::Remove, _) => {
                    nodes.remove(place);
                }
                (Edit::Open, Node::Block { inside, .. }) => {
                    let inside = std::mem::take(inside);
                    nodes.splice(place..=place, inside);
                }
                (Edit::Open, _) => return false,
            }
            return true;
        }
        *position -= 1;
        if let Node::Block { inside, .. } = &mut nodes[place]
            && apply(inside, position, edit)
        {
            return true;
        }
    }
    false
}

/// The program with another number wherever it has this one: lengths and bounds belong together.
fn with_number(program: &Program, from: u64, to: u64) -> Program {
    fn replace(text: &mut String, from: u64, to: u64) {
        for (at, value) in numbers(text).into_iter().rev() {
            if value == from {
                text.replace_range(at..at + value.to_string().len(), &to.to_string());
            }
        }
    }
    fn go(nodes: &mut [Node], from: u64, to: u64) {
        for node in nodes {
            match node {
                Node::Line(text) => replace(text, from, to),
                Node::Block { open, inside, close } => {
                    replace(open, from, to);
                    replace(close, from, to);
                    go(inside, from, to);
                }
                Node::Probe(_) => {}
            }
        }
    }
    let mut smaller = program.clone();
    go(&mut smaller.nodes, from, to);
    smaller
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::super::tree::Style;
    use super::*;

    fn line(text: &str) -> Node {
        Node::Line(text.into())
    }

    #[test]
    fn only_what_matters_stays() {
        let inner = Node::Block { open: "for (;;) {".into(), inside: vec![line("a = 100;"), line("bug = 100;")], close: "}".into() };
        let main = Node::Block { open: "int main(void) {".into(), inside: vec![line("b = 1;"), inner, line("c = 2;")], close: "}".into() };
        let program = Program { nodes: vec![line("int g;"), main], style: Style::Verifier, ilp32: false };
        let small = shrink(program, 1000, |program| program.text().contains("bug") && program.text().contains("main"));
        let body = vec![line("bug = 1;")];
        assert_eq!(small.nodes, [Node::Block { open: "int main(void) {".into(), inside: body, close: "}".into() }]);
    }

    #[test]
    fn attempts_are_limited() {
        let program = generate::program(3);
        let asked = std::cell::Cell::new(0);
        let same = shrink(program.clone(), 7, |_| {
            asked.set(asked.get() + 1);
            false
        });
        assert_eq!((same, asked.get()), (program, 7));
    }
}
