//! The syntax tree of one external declaration.
//!
//! The parser makes the tree of one external declaration at a time, the elaborator consumes it, and the arenas are emptied before
//! the next: memory does not grow with the file. Nodes are indices, so that dropping a deep tree needs no recursion. The tree says
//! what was written, nothing about what it means: names are not resolved beyond "is this a typedef name", types are not computed.

use model::arena::{Arena, Id};

use crate::intern::Symbol;

/// A stretch of the preprocessed text, in bytes; [`SourceMap`](crate::source::SourceMap) tells where that is for the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Range {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Range {
    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: Range) -> Range {
        Range { start: self.start, end: other.end.max(self.end) }
    }
}

/// The index of an [`Expr`].
pub type ExprId = Id<Expr>;
/// The index of a [`Stmt`].
pub type StmtId = Id<Stmt>;
/// The index of a [`TypeName`].
pub type TypeNameId = Id<TypeName>;
/// The index of an [`Initializer`].
pub type InitId = Id<Initializer>;
/// The index of a [`Declaration`].
pub type DeclId = Id<Declaration>;

/// The arenas of one external declaration.
#[derive(Default, Debug)]
pub struct Ast {
    /// Expressions.
    pub exprs: Arena<Expr>,
    /// Statements.
    pub stmts: Arena<Stmt>,
    /// Type names, as in casts.
    pub type_names: Arena<TypeName>,
    /// Initialisers.
    pub inits: Arena<Initializer>,
    /// Declarations inside blocks, parameter lists and structures.
    pub decls: Arena<Declaration>,
}

impl Ast {
    /// Empties all arenas and keeps their memory.
    pub fn clear(&mut self) {
        self.exprs.clear();
        self.stmts.clear();
        self.type_names.clear();
        self.inits.clear();
        self.decls.clear();
    }
}

/// What stands at file scope.
#[derive(Debug)]
pub enum External {
    /// Any declaration that is not a function's definition.
    Declaration(Declaration),
    /// A function with its body.
    Function(FunctionDefinition),
    /// `asm("…");`
    Asm(Range),
    /// `_Static_assert(…);`
    StaticAssert(StaticAssert),
}

/// A function with its body.
#[derive(Debug)]
pub struct FunctionDefinition {
    /// Storage class, return type and so on.
    pub specifiers: Specifiers,
    /// Name and parameters; the part nearest to the name is a `DeclaratorPart::Function` unless the input is wrong.
    pub declarator: Declarator,
    /// The parameter declarations of a K&R definition.
    pub old_style: Vec<Declaration>,
    /// Always a `StmtKind::Compound`.
    pub body: StmtId,
    /// From the first specifier to the closing brace.
    pub range: Range,
}

/// `_Static_assert(condition, "message")`.
#[derive(Debug)]
pub struct StaticAssert {
    /// The condition.
    pub condition: ExprId,
    /// The message, if there is one.
    pub message: Option<Box<[u8]>>,
    /// The whole.
    pub range: Range,
}

/// Specifiers and the things that are declared with them.
#[derive(Debug)]
pub struct Declaration {
    /// What all declarators share.
    pub specifiers: Specifiers,
    /// The things that are declared; none in `struct s { … };`.
    pub declarators: Vec<InitDeclarator>,
    /// The whole, without the semicolon.
    pub range: Range,
}

/// A declarator with what may follow it.
#[derive(Debug)]
pub struct InitDeclarator {
    /// Name and shape.
    pub declarator: Declarator,
    /// `: width` in a structure. An unnamed bit-field has a declarator without name.
    pub bit_width: Option<ExprId>,
    /// `= …`
    pub init: Option<InitId>,
}

/// The specifiers of a declaration.
#[derive(Debug, Default)]
pub struct Specifiers {
    /// `typedef`, `extern`, `static`, `auto`, `register`.
    pub storage: Option<Storage>,
    /// `_Thread_local`, `__thread`.
    pub thread_local: bool,
    /// `inline`.
    pub inline: bool,
    /// `_Noreturn`.
    pub noreturn: bool,
    /// `constexpr` (C23).
    pub constexpr: bool,
    /// The type.
    pub ty: TypeSpecifier,
    /// `const`, `volatile`, …
    pub qualifiers: Qualifiers,
    /// `_Alignas(…)`.
    pub align: Vec<Alignas>,
    /// Attributes among the specifiers.
    pub attributes: Vec<Attribute>,
    /// From the first to the last specifier.
    pub range: Range,
}

/// A storage class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Not storage: the declared names are types.
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// The operand of `_Alignas`.
#[derive(Clone, Copy, Debug)]
pub enum Alignas {
    /// A type's alignment.
    Type(TypeNameId),
    /// A constant.
    Expr(ExprId),
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs, reason = "the names are the keywords and operators that they stand for")]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

/// What a declaration says of the type.
#[derive(Debug, Default)]
pub enum TypeSpecifier {
    /// Nothing: C89's implicit `int`.
    #[default]
    Missing,
    /// A combination of keywords such as `unsigned long`, already checked to be a type.
    Basic(BasicType),
    /// `_Complex` with the type of its parts: a floating-point type, or an integer type (GNU).
    Complex(BasicType),
    /// A typedef name.
    Typedef(Symbol),
    /// `struct` or `union`.
    Record(RecordSpecifier),
    /// `enum`.
    Enum(EnumSpecifier),
    /// `typeof(expression)`; the flag is set for `typeof_unqual`.
    TypeofExpr(ExprId, bool),
    /// `typeof(type)`.
    TypeofType(TypeNameId, bool),
    /// `_Atomic(type)`.
    Atomic(TypeNameId),
    /// `__auto_type`, or C23's `auto` without a type.
    Auto,
}

/// The types that keywords name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are the keywords and operators that they stand for")]
pub enum BasicType {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    /// `_Float16`
    Float16,
    /// `float`, `_Float32`
    Float,
    /// `double`, `_Float64`, `_Float32x`
    Double,
    /// `long double`, `_Float64x`, `__float80`
    LongDouble,
    /// `_Float128`, `__float128`
    Float128,
    /// `_Imaginary`: named so that it can be refused.
    Imaginary,
    /// `_Decimal32`, `_Decimal64`, `_Decimal128`: named so that it can be refused.
    Decimal,
    /// `__builtin_va_list`
    VaList,
}

/// `struct tag { … }`
#[derive(Debug)]
pub struct RecordSpecifier {
    /// Whether it is a union.
    pub is_union: bool,
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Its members, if it is defined here.
    pub members: Option<Vec<Member>>,
    /// Attributes after the keyword or after the brace.
    pub attributes: Vec<Attribute>,
    /// The largest alignment of a member that `#pragma pack` allows here; 0 for no limit.
    pub pack: u32,
    /// From the keyword to the tag, or to the closing brace of an anonymous one.
    pub range: Range,
}

/// What stands between the braces of a structure.
#[derive(Debug)]
pub enum Member {
    /// Fields; an anonymous structure or union has no declarator.
    Declaration(DeclId),
    /// `_Static_assert(…);`
    StaticAssert(StaticAssert),
}

/// `enum tag : type { … }`
#[derive(Debug)]
pub struct EnumSpecifier {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// The underlying type (C23).
    pub underlying: Option<TypeNameId>,
    /// Its constants, if it is defined here.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// From the keyword to the tag, or to the closing brace.
    pub range: Range,
}

/// A constant of an enumeration.
#[derive(Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Symbol,
    /// Its value where given.
    pub value: Option<ExprId>,
    /// The name.
    pub range: Range,
}

/// A name (or none) and how the declared thing is reached from the specified type.
#[derive(Debug, Default)]
pub struct Declarator {
    /// The declared name.
    pub name: Option<Symbol>,
    /// Where the name stands, or where it would.
    pub range: Range,
    /// From the name outwards: `int *a[3]` has `[Array, Pointer]`, "a is an array of pointers to int".
    pub parts: Vec<DeclaratorPart>,
    /// Attributes anywhere in the declarator or after it.
    pub attributes: Vec<Attribute>,
    /// `asm("name")`
    pub asm_label: Option<Box<[u8]>>,
}

/// One step from a name to its type.
#[derive(Debug)]
pub enum DeclaratorPart {
    /// `*`
    Pointer(Qualifiers),
    /// `[…]`
    Array(ArrayPart),
    /// `(…)`
    Function(Parameters),
}

/// `[static const n]`
#[derive(Debug)]
pub struct ArrayPart {
    /// How many elements.
    pub size: ArraySize,
    /// Qualifiers inside the brackets, for parameters.
    pub qualifiers: Qualifiers,
    /// The brackets.
    pub range: Range,
}

/// What stands between brackets.
#[derive(Clone, Copy, Debug)]
pub enum ArraySize {
    /// `[]`
    Unspecified,
    /// `[*]`
    Star,
    /// `[n]`
    Expr(ExprId),
}

/// What stands between the parentheses of a function declarator.
#[derive(Debug)]
pub enum Parameters {
    /// `(int a, …)`; `(void)` has no parameters.
    Prototype {
        /// GNU: what stands before a semicolon in the list only declares parameters that come later.
        forward: Vec<DeclId>,
        /// One declaration with at most one declarator each.
        params: Vec<DeclId>,
        /// Whether `...` follows.
        variadic: bool,
    },
    /// `()` or `(a, b)`: no prototype.
    Identifiers(Vec<(Symbol, Range)>),
}

/// A type name: specifiers and a declarator without name.
#[derive(Debug)]
pub struct TypeName {
    /// The specifiers.
    pub specifiers: Specifiers,
    /// The rest.
    pub declarator: Declarator,
    /// The whole.
    pub range: Range,
}

/// `__attribute__((name(args)))` or `[[gnu::name(args)]]`.
#[derive(Debug)]
pub struct Attribute {
    /// The name without prefix and without underscores around it.
    pub name: Symbol,
    /// The arguments, where they are expressions. A lone identifier is an `ExprKind::Ident`, whether declared or not.
    pub args: Vec<ExprId>,
    /// The whole.
    pub range: Range,
}

/// An initialiser.
#[derive(Debug)]
pub struct Initializer {
    /// What it says.
    pub kind: InitializerKind,
    /// The whole.
    pub range: Range,
}

/// What an initialiser says.
#[derive(Debug)]
pub enum InitializerKind {
    /// One expression.
    Expr(ExprId),
    /// `{ … }`
    List(Vec<InitItem>),
}

/// An element of an initialiser list.
#[derive(Debug)]
pub struct InitItem {
    /// `.a[2] =`; empty for the next position.
    pub designators: Vec<Designator>,
    /// The value.
    pub init: InitId,
}

/// One step to a part of an object.
#[derive(Clone, Copy, Debug)]
pub enum Designator {
    /// `.name`, or GNU's `name:`
    Field(Symbol, Range),
    /// `[index]`
    Index(ExprId),
    /// `[low ... high]`
    Span(ExprId, ExprId),
}

/// An expression and where it stands.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole.
    pub range: Range,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExprKind {
    /// A name.
    Ident(Symbol),
    /// An integer constant.
    Int(IntLiteral),
    /// A floating constant.
    Float(FloatLiteral),
    /// A character constant; its value as its type has it.
    Char(i64, CharKind),
    /// A string: its units, as the bytes of little-endian code units, without the final zero.
    String(Box<[u8]>, CharKind),
    /// `__func__`, `__FUNCTION__`, `__PRETTY_FUNCTION__`
    FunctionName,
    /// `op e`
    Unary(UnaryOp, ExprId),
    /// `a op b`
    Binary(BinaryOp, ExprId, ExprId),
    /// `a && b`
    LogicalAnd(ExprId, ExprId),
    /// `a || b`
    LogicalOr(ExprId, ExprId),
    /// `a = b`, or `a op= b`
    Assign(Option<BinaryOp>, ExprId, ExprId),
    /// `c ? a : b`; without `a` in `c ?: b`
    Conditional(ExprId, Option<ExprId>, ExprId),
    /// `a, b`
    Comma(ExprId, ExprId),
    /// `f(args)`, builtin functions included.
    Call(ExprId, Vec<ExprId>),
    /// `a.name`, or `a->name` with the flag set.
    Member(ExprId, Symbol, bool),
    /// `a[i]`
    Index(ExprId, ExprId),
    /// `(type) e`
    Cast(TypeNameId, ExprId),
    /// `(type) { … }`
    CompoundLiteral(TypeNameId, InitId),
    /// `sizeof e`
    SizeofExpr(ExprId),
    /// `sizeof(type)`
    SizeofType(TypeNameId),
    /// `__alignof__ e`
    AlignofExpr(ExprId),
    /// `_Alignof(type)`; the flag tells GNU's `__alignof__` (preferred alignment) from C's.
    AlignofType(TypeNameId, bool),
    /// `({ … })`: a `StmtKind::Compound`.
    Statement(StmtId),
    /// `&&label`
    LabelAddress(Symbol),
    /// `_Generic(e, type: e, default: e)`
    Generic(ExprId, Vec<(Option<TypeNameId>, ExprId)>),
    /// `__builtin_va_arg(ap, type)`
    VaArg(ExprId, TypeNameId),
    /// `__builtin_offsetof(type, member)`: the first designator is a `Field`.
    Offsetof(TypeNameId, Vec<Designator>),
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_choose_expr(c, a, b)`
    Choose(ExprId, ExprId, ExprId),
    /// A call of a builtin that is not supported.
    Refused(Symbol),
    /// `true`, `false` (C23)
    Bool(bool),
    /// `nullptr` (C23)
    Nullptr,
}

/// An integer constant as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLiteral {
    /// Its value.
    pub value: u128,
    /// Whether it was written in decimal, which matters for its type.
    pub decimal: bool,
    /// Whether it has a `u` suffix.
    pub unsigned: bool,
    /// The number of `l` in its suffix: 0, 1 or 2.
    pub longs: u8,
    /// Whether it has a GNU `i` or `j` suffix.
    pub imaginary: bool,
}

/// A floating constant as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatLiteral {
    /// Its digits, without the suffix: decimal or hexadecimal with a binary exponent.
    pub digits: Symbol,
    /// Its suffix.
    pub ty: BasicType,
    /// Whether it has a GNU `i` or `j` suffix.
    pub imaginary: bool,
}

/// The kind of a character constant or string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CharKind {
    /// No prefix.
    Plain,
    /// `u8`
    Utf8,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
    /// `L`
    Wide,
}

impl CharKind {
    /// The size of a code unit in bytes.
    pub fn unit(self) -> usize {
        match self {
            CharKind::Plain | CharKind::Utf8 => 1,
            CharKind::Utf16 => 2,
            CharKind::Utf32 | CharKind::Wide => 4,
        }
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the keywords and operators that they stand for")]
pub enum UnaryOp {
    Plus,
    Minus,
    BitNot,
    Not,
    Deref,
    AddressOf,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
}

/// An arithmetic or comparison operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the keywords and operators that they stand for")]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
}

/// A statement and where it stands.
#[derive(Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The statement; for a loop or branch only its head, up to the closing parenthesis of its condition (for `do`, the keyword).
    pub range: Range,
}

/// What a statement is.
#[derive(Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// `e;`
    Expr(ExprId),
    /// `{ … }`, with its closing brace.
    Compound(Vec<StmtId>, Range),
    /// A declaration in a block.
    Declaration(DeclId),
    /// `_Static_assert(…);`
    StaticAssert(StaticAssert),
    /// `__label__ a, b;`
    LocalLabels(Vec<Symbol>),
    /// `if (c) a else b`
    If(ExprId, StmtId, Option<StmtId>),
    /// `while (c) body`
    While(ExprId, StmtId),
    /// `do body while (c);` with the place of the condition.
    Do(StmtId, ExprId),
    /// `for (init; c; step) body`
    For {
        /// An `Expr`, `Declaration` or `Empty` statement.
        init: StmtId,
        /// The condition.
        condition: Option<ExprId>,
        /// What is done after each round.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch (e) body`
    Switch(ExprId, StmtId),
    /// `case low:` or `case low ... high:` and the statement behind it.
    Case(ExprId, Option<ExprId>, StmtId),
    /// `default:` and the statement behind it.
    Default(StmtId),
    /// `name:` and the statement behind it.
    Label(Symbol, StmtId),
    /// `goto name;`
    Goto(Symbol),
    /// `goto *e;`
    ComputedGoto(ExprId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<ExprId>),
    /// `asm(…);`
    Asm(AsmStatement),
    /// A function defined inside a function (GNU).
    NestedFunction(Box<FunctionDefinition>),
}

/// `asm volatile("template" : outputs : inputs : clobbers : labels)`
#[derive(Debug)]
pub struct AsmStatement {
    /// The instructions.
    pub template: Box<[u8]>,
    /// Constraint and operand of each output.
    pub outputs: Vec<(Box<[u8]>, ExprId)>,
    /// Constraint and operand of each input.
    pub inputs: Vec<(Box<[u8]>, ExprId)>,
    /// The labels that it may jump to.
    pub labels: Vec<Symbol>,
}
