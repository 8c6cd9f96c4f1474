//! Pointers to one of very many objects, more than are told apart by cases.

use std::fmt::Write as _;

use kernel::Verdict;
use model::{CheckKind, Target};

use crate::pipeline::{check, translate, word};

/// A write and a read through a pointer to one of so many objects, with a true and a false claim about it.
fn program(objects: u32) -> String {
    let mut text = String::from("int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);\n");
    for object in 0..objects {
        let _ = writeln!(text, "int o{object};");
    }
    text.push_str("int main(void) {\n  int which = __VERIFIER_nondet_int(), *p = &o0;\n");
    for object in 1..objects {
        let _ = writeln!(text, "  if (which == {object}) p = &o{object};");
    }
    let last = objects - 1;
    let _ = writeln!(text, "  *p = 7;");
    let _ = writeln!(text, "  __VERIFIER_assert(*p == 7);");
    let _ = writeln!(text, "  __VERIFIER_assert(which != {last} || o{last} == 7);");
    let _ = writeln!(text, "  __VERIFIER_assert(which != 1 || o{last} == 7);\n  return 0;\n}}");
    text
}

#[test]
fn a_pointer_to_one_of_many_objects_is_exact() {
    for objects in [8, 200] {
        let decisions = check(&translate(&program(objects), Target::Lp64), &[CheckKind::Assertion], 1);
        let words: Vec<String> = decisions.iter().map(|decision| word(&decision.verdict)).collect();
        assert_eq!(decisions.len(), 3);
        assert!(matches!(decisions[0].verdict, Verdict::Proved), "{objects}: {words:?}");
        assert!(matches!(decisions[1].verdict, Verdict::Proved), "{objects}: {words:?}");
        assert!(matches!(decisions[2].verdict, Verdict::Violated(_)), "{objects}: {words:?}");
    }
}
