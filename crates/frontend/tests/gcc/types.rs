//! Random types: numbers, pointers, arrays, structures and unions with all that changes their layout.

use std::fmt::Write;

use model::Target;

use crate::random::Random;

/// A type that a member or variable can have.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// An integer type by its name.
    Integer(&'static str),
    Float(&'static str),
    Complex(&'static str),
    /// `const char *`
    Text,
    /// `void *`
    Address,
    Array(Box<Kind>, u64),
    /// An index into [`Types::records`].
    Record(usize),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// `None` for an anonymous structure or union.
    pub name: Option<String>,
    pub kind: Kind,
    pub is_bit_field: bool,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    pub is_union: bool,
    pub members: Vec<Member>,
}

/// The types that have been declared, and their declarations.
#[derive(Default)]
pub struct Types {
    pub text: String,
    pub records: Vec<Record>,
    names: u32,
}

const INTEGERS: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum small",
    "enum negative",
    "enum large",
    "enum packed",
];
/// Integer types whose typedef changes their alignment.
const ALIGNED: &[&str] = &["aligned_2", "aligned_8", "aligned_16"];

/// What every generated program begins with.
pub const PRELUDE: &str = "\
enum small { SMALL_A, SMALL_B = 7 };
enum negative { NEGATIVE_A = -1, NEGATIVE_B = 100 };
enum large { LARGE_A = 1, LARGE_B = 0x123456789LL };
enum __attribute__((packed)) packed { PACKED_A = 200 };
typedef int aligned_2 __attribute__((aligned(2)));
typedef short aligned_8 __attribute__((aligned(8)));
typedef long long aligned_16 __attribute__((aligned(16)));
typedef __typeof__(L'a') wide;
typedef __typeof__(u'a') utf16;
typedef __typeof__(U'a') utf32;
";

impl Types {
    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub fn integer(random: &mut Random) -> &'static str {
        if random.target == Target::Lp64 && random.percent(4) { "__int128" } else { random.pick(INTEGERS) }
    }

    fn kind(&mut self, random: &mut Random, depth: u32) -> Kind {
        match random.below(20) {
            0..=8 => Kind::Integer(Self::integer(random)),
            9 => Kind::Integer(random.pick(ALIGNED)),
            10 | 11 => Kind::Float(random.pick(&["float", "double", "long double", "_Float128"])),
            12 => Kind::Complex(random.pick(&["float", "double", "long double"])),
            13 => Kind::Text,
            14 => Kind::Address,
            15 | 16 => {
                let element = match random.below(6) {
                    0 if depth > 0 => Kind::Array(Box::new(Kind::Integer(Self::integer(random))), 1 + random.below(3)),
                    1 if depth > 0 => Kind::Record(self.record(random, depth - 1)),
                    2 => Kind::Integer(random.pick(&["wide", "utf16", "utf32"])),
                    3 | 4 => Kind::Integer(random.pick(&["char", "unsigned char"])),
                    _ => Kind::Integer(Self::integer(random)),
                };
                Kind::Array(Box::new(element), 1 + random.below(4))
            }
            17 | 18 if depth > 0 => Kind::Record(self.record(random, depth - 1)),
            _ => Kind::Integer("int"),
        }
    }

    /// Declares a structure or union and gives its index.
    pub fn record(&mut self, random: &mut Random, depth: u32) -> usize {
        let is_union = random.percent(25);
        let name = self.fresh("r");
        let keyword = if is_union { "union" } else { "struct" };
        let mut members = Vec::new();
        let mut body = String::new();
        for _ in 0..1 + random.below(6) {
            self.member(random, depth, &mut members, &mut body);
        }
        // At least one member has a name and a size.
        let last = self.fresh("m");
        writeln!(body, "  int {last};").unwrap();
        members.push(Member { name: Some(last), kind: Kind::Integer("int"), is_bit_field: false });
        let pack = if random.percent(15) { Some(1 << random.below(5)) } else { None };
        if let Some(pack) = pack {
            writeln!(self.text, "#pragma pack(push, {pack})").unwrap();
        }
        let attribute = match random.below(12) {
            0 => " __attribute__((packed))".to_string(),
            1 => format!(" __attribute__((aligned({})))", 1 << random.below(6)),
            2 => " __attribute__((packed, aligned(4)))".to_string(),
            _ => String::new(),
        };
        writeln!(self.text, "{keyword} {name} {{\n{body}}}{attribute};").unwrap();
        if pack.is_some() {
            writeln!(self.text, "#pragma pack(pop)").unwrap();
        }
        self.records.push(Record { name: format!("{keyword} {name}"), is_union, members });
        self.records.len() - 1
    }

    fn member(&mut self, random: &mut Random, depth: u32, members: &mut Vec<Member>, body: &mut String) {
        if random.percent(35) {
            return self.bit_field(random, members, body);
        }
        if depth > 0 && random.percent(12) {
            return self.anonymous(random, members, body);
        }
        let kind = self.kind(random, depth);
        let name = self.fresh("m");
        let declared = self.declarator(&kind, &name);
        let attribute = match random.below(14) {
            0 => " __attribute__((packed))".to_string(),
            1 => format!(" __attribute__((aligned({})))", 1 << random.below(6)),
            2 => " __attribute__((aligned))".to_string(),
            _ => String::new(),
        };
        let alignas = if random.percent(4) { "_Alignas(32) " } else { "" };
        writeln!(body, "  {alignas}{declared}{attribute};").unwrap();
        members.push(Member { name: Some(name), kind, is_bit_field: false });
    }

    fn bit_field(&mut self, random: &mut Random, members: &mut Vec<Member>, body: &mut String) {
        let ty = match random.below(12) {
            0 => random.pick(&["aligned_2", "aligned_8"]),
            _ => random.pick(INTEGERS),
        };
        let bits = match ty {
            "_Bool" => 1,
            "char" | "signed char" | "unsigned char" | "enum packed" => 8,
            "short" | "unsigned short" | "aligned_8" => 16,
            "long" | "unsigned long" => random.target.pointer_bytes() * 8,
            "long long" | "unsigned long long" | "enum large" => 64,
            _ => 32,
        };
        let width = if random.percent(10) { bits } else { 1 + random.below(bits) };
        match random.below(10) {
            0 => writeln!(body, "  {ty} : 0;").unwrap(),
            1 => writeln!(body, "  {ty} : {width};").unwrap(),
            n => {
                let name = self.fresh("b");
                let attribute = match n {
                    2 => " __attribute__((packed))",
                    3 if random.percent(40) => " __attribute__((aligned(4)))",
                    _ => "",
                };
                writeln!(body, "  {ty} {name} : {width}{attribute};").unwrap();
                members.push(Member { name: Some(name), kind: Kind::Integer(ty), is_bit_field: true });
            }
        }
    }

    /// A structure or union whose members belong to the one around it.
    fn anonymous(&mut self, random: &mut Random, members: &mut Vec<Member>, body: &mut String) {
        let is_union = random.percent(50);
        let keyword = if is_union { "union" } else { "struct" };
        let (mut inner, mut text) = (Vec::new(), String::new());
        for _ in 0..2 {
            let kind = Kind::Integer(Self::integer(random));
            let name = self.fresh("m");
            writeln!(text, "    {};", self.declarator(&kind, &name)).unwrap();
            inner.push(Member { name: Some(name), kind, is_bit_field: false });
        }
        writeln!(body, "  {keyword} {{\n{text}  }};").unwrap();
        self.records.push(Record { name: String::new(), is_union, members: inner });
        members.push(Member { name: None, kind: Kind::Record(self.records.len() - 1), is_bit_field: false });
    }

    /// The declaration of a name with this type, without semicolon.
    pub fn declarator(&self, kind: &Kind, name: &str) -> String {
        match kind {
            Kind::Integer(ty) | Kind::Float(ty) => format!("{ty} {name}"),
            Kind::Complex(ty) => format!("{ty} _Complex {name}"),
            Kind::Text => format!("const char *{name}"),
            Kind::Address => format!("void *{name}"),
            Kind::Array(element, count) => self.declarator(element, &format!("{name}[{count}]")),
            Kind::Record(index) => format!("{} {name}", self.records[*index].name),
        }
    }

    /// All names by which the members of a record can be reached, bit-fields left out.
    pub fn addressable(&self, index: usize) -> Vec<String> {
        let mut names = Vec::new();
        for member in self.records[index].members.iter().filter(|member| !member.is_bit_field) {
            match (&member.name, &member.kind) {
                (Some(name), _) => names.push(name.clone()),
                (None, Kind::Record(inner)) => names.extend(self.addressable(*inner)),
                _ => {}
            }
        }
        names
    }
}
