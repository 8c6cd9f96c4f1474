//! Syntax trees as s-expressions, for snapshots.

use std::fmt::Write;

use crate::ast::*;
use crate::intern::Symbol;
use crate::parser::Parser;

/// All external declarations of a text, one per line, and then what was said about it.
pub fn dump(mut parser: Parser) -> String {
    let mut out = String::new();
    while let Some(external) = parser.next_external() {
        let dumper = Dumper { parser: &parser };
        out += &dumper.external(&external);
        out.push('\n');
    }
    out + &diagnostics(&parser)
}

fn diagnostics(parser: &Parser) -> String {
    let mut out = String::new();
    for diagnostic in parser.session.diagnostics.list() {
        let place = parser.session.map.span(diagnostic.range);
        let _ = write!(out, "{}:{}+{} {:?}: {}", place.line, place.column, place.length, diagnostic.severity, diagnostic.message);
        if !diagnostic.label.is_empty() {
            let _ = write!(out, " [{}]", diagnostic.label);
        }
        for (range, label) in &diagnostic.related {
            let place = parser.session.map.span(*range);
            let _ = write!(out, " ({}:{} {label})", place.line, place.column);
        }
        out.push('\n');
    }
    out
}

/// The statements of the last function of a text, one per line.
pub fn dump_statements(mut parser: Parser) -> String {
    let mut out = String::new();
    while let Some(external) = parser.next_external() {
        let dumper = Dumper { parser: &parser };
        if let External::Function(function) = external
            && let StmtKind::Compound(items, _) = &parser.ast.stmts[function.body].kind
        {
            out = items.iter().map(|&item| dumper.stmt(item) + "\n").collect();
        }
    }
    out + &diagnostics(&parser)
}

struct Dumper<'a, 'b> {
    parser: &'a Parser<'b>,
}

fn list(parts: Vec<String>) -> String {
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("({})", parts.join(" "))
}

fn head(name: &str, rest: Vec<String>) -> String {
    let mut parts = vec![name.to_string()];
    parts.extend(rest);
    list(parts)
}

impl Dumper<'_, '_> {
    fn name(&self, symbol: Symbol) -> String {
        self.parser.session.names.name(symbol).to_string()
    }
    fn optional_name(&self, symbol: Option<Symbol>) -> String {
        symbol.map_or(String::new(), |symbol| self.name(symbol))
    }
    fn exprs(&self, exprs: &[ExprId]) -> Vec<String> {
        exprs.iter().map(|&expr| self.expr(expr)).collect()
    }

    fn function(&self, function: &FunctionDefinition) -> String {
        let mut parts = vec![self.specifiers(&function.specifiers), self.declarator(&function.declarator)];
        parts.extend(function.old_style.iter().map(|declaration| self.declaration(declaration)));
        parts.push(self.stmt(function.body));
        head("define", parts)
    }

    fn external(&self, external: &External) -> String {
        match external {
            External::Declaration(declaration) => self.declaration(declaration),
            External::Function(function) => self.function(function),
            External::Asm(_) => "(asm)".to_string(),
            External::StaticAssert(assertion) => self.static_assert(assertion),
        }
    }

    fn static_assert(&self, assertion: &StaticAssert) -> String {
        let message = assertion.message.as_ref().map_or(String::new(), |text| format!("{:?}", String::from_utf8_lossy(text)));
        head("static-assert", vec![self.expr(assertion.condition), message])
    }

    fn declaration(&self, declaration: &Declaration) -> String {
        let mut parts = vec![self.specifiers(&declaration.specifiers)];
        for item in &declaration.declarators {
            let mut text = self.declarator(&item.declarator);
            if let Some(width) = item.bit_width {
                text += &format!(":{}", self.expr(width));
            }
            if let Some(init) = item.init {
                text += &format!("={}", self.init(init));
            }
            parts.push(text);
        }
        head("declare", parts)
    }

    fn specifiers(&self, specifiers: &Specifiers) -> String {
        let mut parts = Vec::new();
        parts.extend(specifiers.storage.map(|storage| format!("{storage:?}").to_lowercase()));
        let flags = [
            (specifiers.thread_local, "thread-local"),
            (specifiers.inline, "inline"),
            (specifiers.noreturn, "noreturn"),
            (specifiers.constexpr, "constexpr"),
        ];
        parts.extend(flags.iter().filter(|(set, _)| *set).map(|(_, name)| name.to_string()));
        parts.push(qualifiers(specifiers.qualifiers));
        parts.extend(specifiers.align.iter().map(|align| match *align {
            Alignas::Type(ty) => head("align", vec![self.type_name(ty)]),
            Alignas::Expr(expr) => head("align", vec![self.expr(expr)]),
        }));
        parts.push(self.ty(&specifiers.ty));
        parts.push(self.attributes(&specifiers.attributes));
        parts.retain(|part| !part.is_empty());
        parts.join(" ")
    }

    fn ty(&self, ty: &TypeSpecifier) -> String {
        match ty {
            TypeSpecifier::Missing => "missing".to_string(),
            TypeSpecifier::Basic(basic) => format!("{basic:?}"),
            TypeSpecifier::Complex(part) => format!("Complex{part:?}"),
            TypeSpecifier::Typedef(name) => self.name(*name),
            TypeSpecifier::Record(record) => {
                let mut parts = vec![self.optional_name(record.tag), self.attributes(&record.attributes)];
                if let Some(members) = &record.members {
                    parts.push(list(members.iter().map(|member| self.member(member)).collect()));
                }
                head(if record.is_union { "union" } else { "struct" }, parts)
            }
            TypeSpecifier::Enum(item) => {
                let mut parts = vec![self.optional_name(item.tag), self.attributes(&item.attributes)];
                parts.extend(item.underlying.map(|ty| format!(":{}", self.type_name(ty))));
                if let Some(enumerators) = &item.enumerators {
                    parts.push(list(enumerators.iter().map(|constant| self.enumerator(constant)).collect()));
                }
                head("enum", parts)
            }
            TypeSpecifier::TypeofExpr(expr, unqualified) => head(typeof_name(*unqualified), vec![self.expr(*expr)]),
            TypeSpecifier::TypeofType(ty, unqualified) => head(typeof_name(*unqualified), vec![self.type_name(*ty)]),
            TypeSpecifier::Atomic(ty) => head("atomic", vec![self.type_name(*ty)]),
            TypeSpecifier::Auto => "auto-type".to_string(),
        }
    }

    fn member(&self, member: &Member) -> String {
        match member {
            Member::Declaration(declaration) => self.declaration(&self.parser.ast.decls[*declaration]),
            Member::StaticAssert(assertion) => self.static_assert(assertion),
        }
    }

    fn enumerator(&self, constant: &Enumerator) -> String {
        match constant.value {
            Some(value) => format!("{}={}", self.name(constant.name), self.expr(value)),
            None => self.name(constant.name),
        }
    }

    fn attributes(&self, attributes: &[Attribute]) -> String {
        let texts: Vec<_> = attributes
            .iter()
            .map(|attribute| match attribute.args[..] {
                [] => format!("@{}", self.name(attribute.name)),
                _ => format!("@{}{}", self.name(attribute.name), list(self.exprs(&attribute.args))),
            })
            .collect();
        texts.join(" ")
    }

    fn declarator(&self, declarator: &Declarator) -> String {
        let mut parts = vec![declarator.name.map_or("_".to_string(), |name| self.name(name))];
        parts.extend(declarator.parts.iter().map(|part| self.part(part)));
        parts.extend(declarator.asm_label.as_ref().map(|label| format!("asm:{}", String::from_utf8_lossy(label))));
        parts.push(self.attributes(&declarator.attributes));
        parts.retain(|part| !part.is_empty());
        if parts.len() == 1 { parts.remove(0) } else { list(parts) }
    }

    fn part(&self, part: &DeclaratorPart) -> String {
        match part {
            DeclaratorPart::Pointer(set) => format!("*{}", qualifiers(*set).replace(' ', "-")),
            DeclaratorPart::Array(array) => {
                let set = qualifiers(array.qualifiers);
                match array.size {
                    ArraySize::Unspecified => format!("[{set}]"),
                    ArraySize::Star => format!("[{set}*]"),
                    ArraySize::Expr(expr) => format!("[{set}{}]", self.expr(expr)),
                }
            }
            DeclaratorPart::Function(Parameters::Identifiers(names)) => {
                head("names", names.iter().map(|(name, _)| self.name(*name)).collect())
            }
            DeclaratorPart::Function(Parameters::Prototype { params, variadic, .. }) => {
                let mut parts: Vec<_> = params.iter().map(|&param| self.declaration(&self.parser.ast.decls[param])).collect();
                parts.extend(variadic.then(|| "...".to_string()));
                head("function", parts)
            }
        }
    }

    fn type_name(&self, ty: TypeNameId) -> String {
        let ty = &self.parser.ast.type_names[ty];
        let declarator = self.declarator(&ty.declarator);
        let specifiers = self.specifiers(&ty.specifiers);
        if declarator == "_" { format!("<{specifiers}>") } else { format!("<{specifiers} {declarator}>") }
    }

    fn init(&self, init: InitId) -> String {
        match &self.parser.ast.inits[init].kind {
            InitializerKind::Expr(expr) => self.expr(*expr),
            InitializerKind::List(items) => {
                let items = items.iter().map(|item| {
                    let path: String = item.designators.iter().map(|step| self.designator(step)).collect();
                    let value = self.init(item.init);
                    if path.is_empty() { value } else { format!("{path}={value}") }
                });
                format!("{{{}}}", items.collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn designator(&self, designator: &Designator) -> String {
        match designator {
            Designator::Field(name, _) => format!(".{}", self.name(*name)),
            Designator::Index(index) => format!("[{}]", self.expr(*index)),
            Designator::Span(low, high) => format!("[{}...{}]", self.expr(*low), self.expr(*high)),
        }
    }

    fn expr(&self, expr: ExprId) -> String {
        match &self.parser.ast.exprs[expr].kind {
            ExprKind::Ident(name) => self.name(*name),
            ExprKind::Int(literal) => {
                let unsigned = if literal.unsigned { "u" } else { "" };
                let imaginary = if literal.imaginary { "i" } else { "" };
                format!("{}{unsigned}{}{imaginary}", literal.value, "l".repeat(literal.longs.into()))
            }
            ExprKind::Float(literal) => {
                let imaginary = if literal.imaginary { "i" } else { "" };
                format!("{}:{:?}{imaginary}", self.name(literal.digits), literal.ty)
            }
            ExprKind::Char(value, kind) => format!("'{value}{}", kind_name(*kind)),
            ExprKind::String(bytes, kind) => format!("\"{}\"{}", bytes.escape_ascii(), kind_name(*kind)),
            ExprKind::FunctionName => "__func__".to_string(),
            ExprKind::Unary(operator, operand) => head(&format!("{operator:?}"), self.exprs(&[*operand])),
            ExprKind::Binary(operator, left, right) => head(&format!("{operator:?}"), self.exprs(&[*left, *right])),
            ExprKind::LogicalAnd(left, right) => head("&&", self.exprs(&[*left, *right])),
            ExprKind::LogicalOr(left, right) => head("||", self.exprs(&[*left, *right])),
            ExprKind::Assign(None, left, right) => head("=", self.exprs(&[*left, *right])),
            ExprKind::Assign(Some(operator), left, right) => head(&format!("{operator:?}="), self.exprs(&[*left, *right])),
            ExprKind::Conditional(condition, Some(then), otherwise) => head("?", self.exprs(&[*condition, *then, *otherwise])),
            ExprKind::Conditional(condition, None, otherwise) => head("?:", self.exprs(&[*condition, *otherwise])),
            ExprKind::Comma(left, right) => head(",", self.exprs(&[*left, *right])),
            ExprKind::Call(function, arguments) => head("call", [self.exprs(&[*function]), self.exprs(arguments)].concat()),
            ExprKind::Member(record, name, arrow) => head(if *arrow { "->" } else { "." }, vec![self.expr(*record), self.name(*name)]),
            ExprKind::Index(array, index) => head("index", self.exprs(&[*array, *index])),
            ExprKind::Cast(ty, operand) => head("cast", vec![self.type_name(*ty), self.expr(*operand)]),
            ExprKind::CompoundLiteral(ty, init) => head("literal", vec![self.type_name(*ty), self.init(*init)]),
            ExprKind::SizeofExpr(operand) => head("sizeof", self.exprs(&[*operand])),
            ExprKind::SizeofType(ty) => head("sizeof", vec![self.type_name(*ty)]),
            ExprKind::AlignofExpr(operand) => head("alignof", self.exprs(&[*operand])),
            ExprKind::AlignofType(ty, gnu) => head(if *gnu { "gnu-alignof" } else { "alignof" }, vec![self.type_name(*ty)]),
            ExprKind::Statement(body) => head("do", vec![self.stmt(*body)]),
            ExprKind::LabelAddress(name) => format!("&&{}", self.name(*name)),
            ExprKind::Generic(control, choices) => {
                let choices = choices.iter().map(|(ty, expr)| {
                    let ty = ty.map_or("default".to_string(), |ty| self.type_name(ty));
                    format!("{ty}:{}", self.expr(*expr))
                });
                head("generic", std::iter::once(self.expr(*control)).chain(choices).collect())
            }
            ExprKind::VaArg(list, ty) => head("va-arg", vec![self.expr(*list), self.type_name(*ty)]),
            ExprKind::Offsetof(ty, path) => {
                let path = path.iter().map(|step| self.designator(step)).collect();
                head("offsetof", vec![self.type_name(*ty), path])
            }
            ExprKind::Refused(name) => format!("(refused {})", self.parser.session.names.name(*name)),
            ExprKind::TypesCompatible(left, right) => head("compatible", vec![self.type_name(*left), self.type_name(*right)]),
            ExprKind::Choose(condition, left, right) => head("choose", self.exprs(&[*condition, *left, *right])),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Nullptr => "nullptr".to_string(),
        }
    }

    fn stmt(&self, stmt: StmtId) -> String {
        let optional = |expr: Option<ExprId>| expr.map_or("_".to_string(), |expr| self.expr(expr));
        match &self.parser.ast.stmts[stmt].kind {
            StmtKind::Empty => "(empty)".to_string(),
            StmtKind::Expr(expr) => self.expr(*expr),
            StmtKind::Compound(items, _) => format!("{{{}}}", items.iter().map(|&item| self.stmt(item)).collect::<Vec<_>>().join(" ")),
            StmtKind::Declaration(declaration) => self.declaration(&self.parser.ast.decls[*declaration]),
            StmtKind::StaticAssert(assertion) => self.static_assert(assertion),
            StmtKind::LocalLabels(names) => head("labels", names.iter().map(|&name| self.name(name)).collect()),
            StmtKind::If(condition, then, otherwise) => {
                let otherwise = otherwise.map_or(String::new(), |stmt| self.stmt(stmt));
                head("if", vec![self.expr(*condition), self.stmt(*then), otherwise])
            }
            StmtKind::While(condition, body) => head("while", vec![self.expr(*condition), self.stmt(*body)]),
            StmtKind::Do(body, condition) => head("do-while", vec![self.stmt(*body), self.expr(*condition)]),
            StmtKind::For { init, condition, step, body } => {
                head("for", vec![self.stmt(*init), optional(*condition), optional(*step), self.stmt(*body)])
            }
            StmtKind::Switch(value, body) => head("switch", vec![self.expr(*value), self.stmt(*body)]),
            StmtKind::Case(low, None, body) => head("case", vec![self.expr(*low), self.stmt(*body)]),
            StmtKind::Case(low, Some(high), body) => head("cases", vec![self.expr(*low), self.expr(*high), self.stmt(*body)]),
            StmtKind::Default(body) => head("default", vec![self.stmt(*body)]),
            StmtKind::Label(name, body) => head("label", vec![self.name(*name), self.stmt(*body)]),
            StmtKind::Goto(name) => head("goto", vec![self.name(*name)]),
            StmtKind::ComputedGoto(expr) => head("goto*", vec![self.expr(*expr)]),
            StmtKind::Break => "(break)".to_string(),
            StmtKind::Continue => "(continue)".to_string(),
            StmtKind::Return(value) => head("return", vec![value.map_or(String::new(), |value| self.expr(value))]),
            StmtKind::Asm(asm) => {
                let operands = |operands: &[(Box<[u8]>, ExprId)]| {
                    list(operands.iter().map(|(text, expr)| format!("{}:{}", text.escape_ascii(), self.expr(*expr))).collect())
                };
                let labels = list(asm.labels.iter().map(|&name| self.name(name)).collect());
                let template = format!("\"{}\"", asm.template.escape_ascii());
                head("asm", vec![template, operands(&asm.outputs), operands(&asm.inputs), labels])
            }
            StmtKind::NestedFunction(function) => self.function(function),
        }
    }
}

fn typeof_name(unqualified: bool) -> &'static str {
    if unqualified { "typeof-unqual" } else { "typeof" }
}

fn kind_name(kind: CharKind) -> &'static str {
    match kind {
        CharKind::Plain => "",
        CharKind::Utf8 => ":u8",
        CharKind::Utf16 => ":u16",
        CharKind::Utf32 => ":u32",
        CharKind::Wide => ":wide",
    }
}

fn qualifiers(set: Qualifiers) -> String {
    let names = [(set.is_const, "const"), (set.is_volatile, "volatile"), (set.is_restrict, "restrict"), (set.is_atomic, "atomic")];
    let names: Vec<_> = names.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
    names.join(" ")
}
