//! Random programs with planted undefined behaviour. One program holds many cases; its first argument says which one to run.

use std::fmt::Write as _;

use model::CheckKind::{self, *};

/// Marks the line of a template that does something undefined.
const MARK: &str = "// HERE";

/// A program and what is wrong with it.
pub struct Planted {
    pub source: String,
    pub cases: Vec<Case>,
}

/// Two functions of a program: one does something undefined, the other is its repaired twin.
pub struct Case {
    pub name: &'static str,
    pub kind: CheckKind,
    /// The argument that runs it; the one of its twin is one more.
    pub number: usize,
    /// Where it goes wrong.
    pub line: u32,
}

/// The program of a seed, with a case of each kind.
pub fn program(seed: u64) -> Planted {
    let mut random = Random(seed);
    let mut source = String::from(
        "int printf(const char *, ...);\nint atoi(const char *);\nvoid *malloc(unsigned long);\nvoid free(void *);\n\
         void *memcpy(void *, const void *, unsigned long);\nvoid *memset(void *, int, unsigned long);\n",
    );
    let mut cases = Vec::new();
    for (index, (name, kind, template)) in TEMPLATES.iter().enumerate() {
        let number = 2 * index;
        let twin = &mut Random(random.0);
        let first_line = source.lines().count();
        source += &function(*template, number, &mut random, true);
        let line = source.lines().skip(first_line).position(|line| line.contains(MARK)).map_or(0, |line| first_line + line + 1);
        cases.push(Case { name, kind: *kind, number, line: line as u32 });
        source += &function(*template, number + 1, twin, false).replace(MARK, "");
    }
    source += "int main(int argc, char **argv) {\n  switch (atoi(argv[1])) {\n";
    for number in 0..2 * TEMPLATES.len() {
        let _ = writeln!(source, "  case {number}: printf(\"%u\\n\", case{number}()); break;");
    }
    source += "  }\n  return 0;\n}\n";
    Planted { source, cases }
}

/// A case, with harmless code around it. In a template, `@` stands for the number of the case, `/* */` for harmless code.
fn function(template: Template, number: usize, random: &mut Random, faulty: bool) -> String {
    let (outside, inside) = template(random, faulty);
    let mut text = format!(
        "{outside}\nunsigned case@(void) {{\n  unsigned r = {};\n  {NOISE}\n{inside}\n  {NOISE}\n  return r;\n}}\n",
        random.below(1000)
    );
    while text.contains(NOISE) {
        text = text.replacen(NOISE, &noise(random), 1);
    }
    text.replace('@', &number.to_string())
}

const NOISE: &str = "/* */";

fn noise(random: &mut Random) -> String {
    let (a, b, c) = (random.below(1000), 1 + random.below(30), 1 + random.below(9));
    match random.below(4) {
        0 => format!("r = r * {a}u + {b}u;"),
        1 => format!("for (int k = 0; k < {c}; k++)\n    r = (r ^ {a}u) >> 1 | (unsigned)k;"),
        2 => format!("if (r % {b}u > {c}u)\n    r += {a}u;\n  else\n    r -= {a}u;"),
        _ => format!("{{\n    unsigned t[{c}] = {{ r }};\n    r += t[r % {c}u] / {b}u;\n  }}"),
    }
}

/// The text before the function of a case, and that inside it.
type Template = fn(&mut Random, bool) -> (String, String);

const TEMPLATES: [(&str, CheckKind, Template); 27] = [
    ("read of an array", Bounds, |random, faulty| {
        let (ty, size, index) = (random.ty(), random.size(), random.below(100));
        let index = if faulty { size + index } else { index % size };
        (String::new(), format!("{}  int i = {index};\n  {NOISE}\n  r += (unsigned)a[i]; {MARK}", array(ty, size)))
    }),
    ("write of an array", Bounds, |random, faulty| {
        let (ty, size, index) = (random.ty(), random.size(), random.below(100));
        let index = if faulty { -1 - index as i64 } else { (index % size) as i64 };
        (String::new(), format!("{}  int i = {index};\n  a[i] = 1; {MARK}", array(ty, size)))
    }),
    ("read of a static array of arrays", Bounds, |random, faulty| {
        let (ty, rows, columns) = (random.ty(), random.size(), random.size());
        let column = if faulty { columns } else { columns - 1 };
        (format!("static {ty} table@[{rows}][{columns}];"), format!("  int i = 0, j = {column};\n  r += (unsigned)table@[i][j]; {MARK}"))
    }),
    ("read of a member", Bounds, |random, faulty| {
        let (ty, size, index) = (random.ty(), random.size(), random.below(50));
        let index = if faulty { size + index } else { index % size };
        let record = format!("struct s@ {{ int first; {ty} a[{size}]; long last; }};");
        (record, format!("  struct s@ s = {{ 1 }};\n  int i = {index};\n  {NOISE}\n  r += (unsigned)s.a[i]; {MARK}"))
    }),
    ("write of a member behind a pointer", Bounds, |random, faulty| {
        let (ty, size) = (random.ty(), random.size());
        let index = if faulty { size } else { size - 1 };
        let record = format!("struct s@ {{ {ty} a[{size}]; long last; }} g@;");
        (record, format!("  struct s@ *p = &g@;\n  int i = {index};\n  p->a[i] = 2; {MARK}"))
    }),
    ("read of the heap", Bounds, |random, faulty| {
        let (ty, size) = (random.ty(), random.size());
        let index = if faulty { size } else { size - 1 };
        (String::new(), format!("{}  int i = {index};\n  r += (unsigned)p[i]; {MARK}\n  free(p);", heap(ty, size)))
    }),
    ("write of the heap", Bounds, |random, faulty| {
        let (ty, size) = (random.ty(), random.size());
        let index = if faulty { -1 } else { 0 };
        (String::new(), format!("{}  int i = {index};\n  {NOISE}\n  p[i] = 3; {MARK}\n  free(p);", heap(ty, size)))
    }),
    ("a buffer that is filled by another function", Bounds, |random, faulty| {
        let (ty, size) = (random.ty(), random.size());
        let count = if faulty { size + 1 } else { size };
        let fill = format!("static void fill@({ty} *p, int n) {{\n  for (int i = 0; i < n; i++)\n    p[i] = ({ty})i; {MARK}\n}}");
        (fill, format!("  {ty} a[{size}];\n  fill@(a, {count});\n  r += (unsigned)a[0];"))
    }),
    ("memset behind the end", Bounds, |random, faulty| {
        let (ty, size) = (random.ty(), random.size());
        let more = usize::from(faulty);
        (
            String::new(),
            format!("{}  unsigned long n = {size} * sizeof(*p) + {more};\n  memset(p, 0, n); {MARK}\n  free(p);", heap(ty, size)),
        )
    }),
    ("memcpy behind the end", Bounds, |random, faulty| {
        let (ty, size) = (random.ty(), random.size());
        let more = usize::from(faulty);
        let copy = format!("  {ty} b[{}];\n  unsigned long n = ({size} + {more}) * sizeof(*p);\n  memcpy(b, p, n); {MARK}", size + 1);
        (String::new(), format!("{}{copy}\n  r += (unsigned)b[0];\n  free(p);", heap(ty, size)))
    }),
    ("null", Null, |random, faulty| {
        let (ty, address) = (random.ty(), if faulty { "0" } else { "&x" });
        (String::new(), format!("  {ty} x = 1, *p = {address};\n  {NOISE}\n  *p = 5; {MARK}\n  r += (unsigned)x;"))
    }),
    ("member of null", Null, |random, faulty| {
        let (ty, address) = (random.ty(), if faulty { "0" } else { "&g@" });
        (format!("struct s@ {{ long first; {ty} m; }} g@;"), format!("  struct s@ *p = {address};\n  r += (unsigned)p->m; {MARK}"))
    }),
    ("use after free", Dangling, |random, faulty| {
        let (ty, size) = (random.ty(), random.size());
        let (early, late) = if faulty { ("free(p);", "") } else { ("", "free(p);") };
        let (index, access) = (random.below(size), if random.below(2) == 0 { "r += (unsigned)p[i]" } else { "p[i] = 7" });
        (String::new(), format!("{}  int i = {index};\n  {early}\n  {NOISE}\n  {access}; {MARK}\n  {late}", heap(ty, size)))
    }),
    ("use after the block", Dangling, |random, faulty| {
        let (ty, value) = (random.ty(), random.below(100));
        let target = if faulty { "&inner" } else { "&outer" };
        let block = format!("  {{\n    {ty} inner = {value};\n    p = {target};\n    r += (unsigned)inner;\n  }}");
        (String::new(), format!("  {ty} outer = 1, *p = &outer;\n{block}\n  r += (unsigned)*p; {MARK}"))
    }),
    ("use after the call", Dangling, |random, faulty| {
        let (ty, storage) = (random.ty(), if faulty { "" } else { "static " });
        let escape = format!("static {ty} *escape@(void) {{\n  {storage}{ty} x = 9;\n  {ty} *p = &x;\n  return p;\n}}");
        (escape, format!("  {} *p = escape@();\n  {NOISE}\n  r += (unsigned)*p; {MARK}", ty))
    }),
    ("free twice", Free, |random, faulty| {
        let (ty, size) = (random.ty(), random.size());
        let early = if faulty { "free(p);" } else { "" };
        (String::new(), format!("{}  {early}\n  {NOISE}\n  free(p); {MARK}", heap(ty, size)))
    }),
    ("free of the middle", Free, |random, faulty| {
        let (ty, size) = (random.ty(), random.size());
        let index = if faulty { 1 + random.below(size - 1) } else { 0 };
        (String::new(), format!("{}  int i = {index};\n  free(p + i); {MARK}", heap(ty, size)))
    }),
    ("overflow of a sum", SignedOverflow, |random, faulty| {
        let ((ty, max), add) = (random.signed(), 1 + random.below(1000) as i64);
        let start = if faulty { max - add + 1 } else { max - add };
        (String::new(), format!("  {ty} x = {start}, y = {add};\n  {NOISE}\n  x = x + y; {MARK}\n  r += (unsigned)x;"))
    }),
    ("overflow of a difference", SignedOverflow, |random, faulty| {
        let ((ty, max), subtract) = (random.signed(), 2 + random.below(1000) as i64);
        let start = if faulty { subtract - max - 2 } else { subtract - max - 1 };
        (String::new(), format!("  {ty} x = {start}, y = {subtract};\n  x -= y; {MARK}\n  r += (unsigned)x;"))
    }),
    ("overflow of a product", SignedOverflow, |random, faulty| {
        let ((ty, max), factor) = (random.signed(), 2 + random.below(1000) as i64);
        let other = if faulty { max / factor + 1 } else { max / factor };
        (String::new(), format!("  {ty} x = {other}, y = {factor};\n  {NOISE}\n  x = x * y; {MARK}\n  r += (unsigned)x;"))
    }),
    ("overflow of a negation", SignedOverflow, |random, faulty| {
        let (ty, max) = random.signed();
        let less = i64::from(faulty);
        (String::new(), format!("  {ty} x = -{max} - {less};\n  x = -x; {MARK}\n  r += (unsigned)x;"))
    }),
    ("overflow of a quotient", SignedOverflow, |random, faulty| {
        let ((ty, max), divisor) = (random.signed(), if faulty { -1 } else { -2 });
        (String::new(), format!("  {ty} x = -{max} - 1, y = {divisor};\n  {NOISE}\n  x = x / y; {MARK}\n  r += (unsigned)x;"))
    }),
    ("division by zero", Division, |random, faulty| {
        let (ty, operator, dividend) = (random.integer(), ["/", "%"][random.below(2)], random.below(100));
        let divisor = if faulty { 0 } else { 1 + random.below(9) };
        (String::new(), format!("  {ty} x = {dividend}, y = {divisor};\n  r += (unsigned)(x {operator} y); {MARK}"))
    }),
    ("distance of a shift", Shift, |random, faulty| {
        let (ty, width) = [("int", 32), ("unsigned", 32), ("long", 64), ("unsigned long", 64)][random.below(4)];
        let (operator, distance) = (["<<", ">>"][random.below(2)], random.below(20) as i64);
        let distance = if !faulty {
            distance
        } else if distance % 2 == 0 {
            width + distance
        } else {
            -1 - distance
        };
        (String::new(), format!("  {ty} x = 1;\n  int y = {distance};\n  {NOISE}\n  r += (unsigned)(x {operator} y); {MARK}"))
    }),
    ("conversion of a floating-point number", Conversion, |random, faulty| {
        let (ty, max) = [("signed char", 127.0), ("short", 32767.0), ("int", 2147483647.0), ("unsigned", 4294967295.0)][random.below(4)];
        let value = if faulty { max + 1.0 + random.below(1000) as f64 } else { max / 2.0 };
        let from = ["double", "long double"][random.below(2)];
        (String::new(), format!("  {from} d = {value:?};\n  {NOISE}\n  r += (unsigned)({ty})d; {MARK}"))
    }),
    ("a place that is said not to be reached", Unreachable, |random, faulty| {
        let (limit, value) = (random.below(100), if faulty { 1 } else { 0 });
        let value = limit + value;
        (String::new(), format!("  int x = {value};\n  if (x > {limit})\n    __builtin_unreachable(); {MARK}\n  r += (unsigned)x;"))
    }),
    ("overflow of a left shift", SignedOverflow, |random, faulty| {
        let ((ty, max), distance) = (random.signed(), 1 + random.below(20));
        let value = match (faulty, distance % 2) {
            (false, _) => max >> distance,
            (true, 0) => (max >> distance) + 1,
            (true, _) => -1,
        };
        (String::new(), format!("  {ty} x = {value};\n  int y = {distance};\n  {NOISE}\n  x = x << y; {MARK}\n  r += (unsigned)x;"))
    }),
];

fn array(ty: &str, size: usize) -> String {
    format!("  {ty} a[{size}];\n  for (int k = 0; k < {size}; k++)\n    a[k] = k;\n")
}

fn heap(ty: &str, size: usize) -> String {
    format!("  {ty} *p = malloc({size} * sizeof({ty}));\n  for (int k = 0; k < {size}; k++)\n    p[k] = k;\n")
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
    fn size(&mut self) -> usize {
        2 + self.below(20)
    }
    fn ty(&mut self) -> &'static str {
        ["char", "short", "int", "unsigned", "long", "float", "double"][self.below(7)]
    }
    fn integer(&mut self) -> &'static str {
        ["int", "unsigned", "long", "unsigned long"][self.below(4)]
    }
    /// A signed type that is not promoted, and its largest value.
    fn signed(&mut self) -> (&'static str, i64) {
        [("int", i64::from(i32::MAX)), ("long", i64::MAX), ("long long", i64::MAX)][self.below(3)]
    }
}
