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

/// Memory that was detached is gone, and two attachments of a segment are the same memory, of which nothing is known here.
#[test]
fn shared_memory_is_shared() {
    let program = |rest: &str| {
        let head = "#include <sys/ipc.h>\n#include <sys/shm.h>\nint main(void) {\nint segment = shmget(IPC_PRIVATE, 8, 0600);\n";
        let attach = "char *p = shmat(segment, 0, 0);\nif (segment < 0 || p == (char *)-1) return 1;\n";
        format!("{head}if (segment < 0) return 1;\n{attach}{rest}\nreturn 0; }}\n")
    };
    assert_eq!(open_lines(&program("*p = 1; return shmdt(p);")), [0; 0]);
    assert!(open_lines(&program("if (shmdt(p) == 0)\n*p = 1;")).contains(&9));
    let twice = "char *q = shmat(segment, 0, 0); if (q == (char *)-1) return 1;\n*q = 1; *p = 0; int a[1];\na[*q - 1] = 2;";
    assert!(open_lines(&program(twice)).contains(&10));
}
