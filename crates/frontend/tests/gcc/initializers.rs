//! Initial contents of static objects: braces, designators, strings, addresses, bit-fields.

use std::fmt::Write;

use crate::random::Random;
use crate::types::{Kind, Member, PRELUDE, Types};

/// Random objects with random initialisers.
pub fn program(random: &mut Random) -> String {
    let mut types = Types::default();
    let mut objects = String::new();
    for number in 0..25 {
        let record = types.record(random, 2);
        let initializers = Initializers { types: &types, literals: true };
        let kind = match random.below(4) {
            0 => Kind::Array(Box::new(Kind::Record(record)), 1 + random.below(3)),
            _ => Kind::Record(record),
        };
        let value = initializers.braces(random, &kind);
        let name = match &kind {
            // An array of unknown length is as long as its initialiser.
            Kind::Array(element, _) if random.percent(40) => types.declarator(element, &format!("object_{number}[]")),
            _ => types.declarator(&kind, &format!("object_{number}")),
        };
        writeln!(objects, "{name} = {value};").unwrap();
    }
    format!("{PRELUDE}int target[10];\nint function(void) {{ return 0; }}\n{}{objects}", types.text)
}

struct Initializers<'a> {
    types: &'a Types,
    /// Whether compound literals may be used: GCC does not take all that are inside of others or of unions.
    literals: bool,
}

impl Initializers<'_> {
    /// An initialiser of its own for a part: an expression, a string or braces.
    fn initializer(&self, random: &mut Random, kind: &Kind, in_union: bool) -> String {
        match kind {
            Kind::Array(element, count) => match self.string(random, element, *count) {
                Some(string) if random.percent(10) => format!("{{ {string} }}"),
                Some(string) if random.percent(60) => string,
                _ => self.braces(random, kind),
            },
            Kind::Record(index) if self.literals && !in_union && !self.types.records[*index].name.is_empty() && random.percent(10) => {
                let inside = Initializers { literals: false, ..*self };
                format!("({}) {}", self.types.records[*index].name, inside.braces(random, kind))
            }
            Kind::Record(_) => self.braces(random, kind),
            _ if random.percent(5) => format!("{{ {} }}", self.scalar(random, kind)),
            _ => self.scalar(random, kind),
        }
    }

    fn braces(&self, random: &mut Random, kind: &Kind) -> String {
        let mut items = Vec::new();
        if random.percent(40) {
            for rest in (0..1 + random.below(4)).rev() {
                self.designated(random, kind, rest == 0, &mut items);
            }
        } else {
            self.in_order(random, kind, &mut items);
        }
        let comma = if random.percent(20) { "," } else { "" };
        if items.is_empty() { "{ 0 }".into() } else { format!("{{ {}{comma} }}", items.join(", ")) }
    }

    /// Parts one after the other, perhaps not all, some without their braces.
    fn in_order(&self, random: &mut Random, kind: &Kind, items: &mut Vec<String>) {
        let parts = self.parts(kind);
        let count = if random.percent(30) { 1 + random.below(parts.len() as u64) as usize } else { parts.len() };
        for part in parts.iter().take(count) {
            if random.percent(30) {
                self.flat(random, part, items);
            } else {
                items.push(self.initializer(random, part, self.is_union(kind)));
            }
        }
    }

    /// All scalars of a part, without its braces.
    fn flat(&self, random: &mut Random, kind: &Kind, items: &mut Vec<String>) {
        match kind {
            Kind::Array(element, count) => match self.string(random, element, *count) {
                Some(string) if random.percent(50) => items.push(string),
                _ => self.parts(kind).iter().for_each(|part| self.flat(random, part, items)),
            },
            Kind::Record(_) => self.parts(kind).iter().for_each(|part| self.flat(random, part, items)),
            _ => items.push(self.scalar(random, kind)),
        }
    }

    /// The parts that braces go through; a union has only its first.
    fn parts(&self, kind: &Kind) -> Vec<Kind> {
        match kind {
            Kind::Array(element, count) => vec![Kind::clone(element); *count as usize],
            Kind::Record(index) => {
                let record = &self.types.records[*index];
                let count = if record.is_union { 1 } else { record.members.len() };
                record.members.iter().take(count).map(|member| member.kind.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// `.member[2].other = value`, perhaps followed by values for what comes behind it. Only the last item of a list has ranges: what GCC
    /// makes of values behind them is its own.
    fn designated(&self, random: &mut Random, kind: &Kind, is_last: bool, items: &mut Vec<String>) {
        let mut path = String::new();
        let mut kind = kind.clone();
        let mut in_union = false;
        loop {
            in_union |= self.is_union(&kind);
            match &kind {
                Kind::Array(element, count) => {
                    let first = random.below(*count);
                    if is_last && random.percent(30) {
                        write!(path, "[{first} ... {}]", first + random.below(count - first)).unwrap();
                    } else {
                        write!(path, "[{first}]").unwrap();
                    }
                    kind = Kind::clone(element);
                }
                Kind::Record(index) => {
                    let members = self.named_members(*index);
                    let member = &members[random.below(members.len() as u64) as usize];
                    write!(path, ".{}", member.name.as_deref().unwrap_or_default()).unwrap();
                    kind = member.kind.clone();
                }
                _ => break,
            }
            if random.percent(50) {
                break;
            }
        }
        if !is_last && random.percent(35) {
            let mut flat = Vec::new();
            self.flat(random, &kind, &mut flat);
            items.push(format!("{path} = {}", flat.join(", ")));
        } else {
            items.push(format!("{path} = {}", self.initializer(random, &kind, in_union)));
        }
    }

    fn is_union(&self, kind: &Kind) -> bool {
        matches!(kind, Kind::Record(index) if self.types.records[*index].is_union)
    }

    fn named_members(&self, index: usize) -> Vec<Member> {
        let mut named = Vec::new();
        for member in &self.types.records[index].members {
            match (&member.name, &member.kind) {
                (None, Kind::Record(inner)) => named.extend(self.named_members(*inner)),
                _ => named.push(member.clone()),
            }
        }
        named
    }

    /// A string literal for an array of characters, sometimes one without room for its end.
    fn string(&self, random: &mut Random, element: &Kind, count: u64) -> Option<String> {
        let Kind::Integer(element) = element else { return None };
        let prefix = match *element {
            "char" | "unsigned char" | "signed char" => random.pick(&["", "u8"]),
            "wide" => "L",
            "utf16" => "u",
            "utf32" => "U",
            _ => return None,
        };
        let length = random.below(count + 1);
        let text: String = (0..length).map(|_| random.pick(&["a", "Z", "\\0", "\\x7f", "\\377", "\\n"])).collect();
        Some(format!("{prefix}\"{text}\""))
    }

    fn scalar(&self, random: &mut Random, kind: &Kind) -> String {
        match kind {
            Kind::Float(_) => self.real(random),
            Kind::Complex(_) if random.percent(50) => format!("{} + {}.5i", self.real(random), random.below(100)),
            Kind::Complex(_) => self.real(random),
            Kind::Text => random.pick(&["\"text\"", "\"more \" \"text\"", "0", "\"tail\" + 2", "&\"abc\"[1]"]).into(),
            Kind::Address => random
                .pick(&["&target", "target + 3", "&target[9]", "(char *)target + 1", "function", "&function", "0", "(void *)8"])
                .into(),
            _ => match random.below(6) {
                0 => format!("-{}", random.below(1000)),
                1 => random.pick(&["0.75", "-0.5", "0x1p-3f"]).into(),
                2 => random.pick(&["'a'", "'\\377'", "L'x'", "sizeof(int)", "LARGE_B", "NEGATIVE_A", "1 ? 2 : 3"]).into(),
                _ => format!("{}{}", random.number(), random.pick(&["u", "ull", "ul"])),
            },
        }
    }

    fn real(&self, random: &mut Random) -> String {
        let sign = random.pick(&["", "-"]);
        let suffix = random.pick(&["", "f", "L"]);
        match random.below(4) {
            0 => format!("{sign}{}", random.below(1000)),
            1 => format!("{sign}0x{:x}p{}{suffix}", random.next() >> 20, random.below(200) as i64 - 100),
            2 => format!("{sign}{}.{}e{}{suffix}", random.below(10), random.number(), random.below(60) as i64 - 40),
            _ => format!("{sign}{}.{}{suffix}", random.number() >> 20, random.below(1000)),
        }
    }
}
