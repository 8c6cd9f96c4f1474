//! Programs about users, hosts and other things outside, of which models tell. Only models: the interpreter does not know these functions.

use serde_json::Value;

use crate::support::Sandbox;

/// A program, and its twin that goes wrong in the lines with the comment `not proved`.
const PAIRS: &[(&str, &str, &str)] = &[
    ("text-record", include_str!("outside/text-record-safe.c"), include_str!("outside/text-record-unsafe.c")),
    ("lame-server", include_str!("outside/lame-server-safe.c"), include_str!("outside/lame-server-unsafe.c")),
    ("home-path", include_str!("outside/home-path-safe.c"), include_str!("outside/home-path-unsafe.c")),
    ("shared-memory", include_str!("outside/shared-memory-safe.c"), include_str!("outside/shared-memory-unsafe.c")),
];

/// The lines with a property of memory that is not proved.
fn open_lines(source: &str) -> Vec<u64> {
    let sandbox = Sandbox::new();
    sandbox.write("a.c", source);
    let run = sandbox.loopfrog("check --json --property memory a.c");
    let json: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr));
    let properties = json["properties"].as_array().expect("a list of properties");
    assert!(!properties.is_empty());
    properties.iter().filter(|property| property["status"] != "proved").filter_map(|property| property["line"].as_u64()).collect()
}

#[test]
fn what_is_right_is_proved_and_what_is_wrong_is_not() {
    for (name, safe, unsafe_) in PAIRS {
        assert_eq!(open_lines(safe), [0; 0], "{name}");
        let open = open_lines(unsafe_);
        for (line, _) in (1..).zip(unsafe_.lines()).filter(|(_, text)| text.contains("not proved")) {
            assert!(open.contains(&line), "{name}:{line}");
        }
    }
}
