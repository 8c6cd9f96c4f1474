//! What the lexer hands to the parser.

use crate::ast::Range;
use crate::intern::{Interner, Symbol};
use crate::{Options, ast};

/// A token: what it is and where. Its text stays in the source.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// The name, for identifiers and keywords.
    pub symbol: Symbol,
    /// Where it stands.
    pub range: Range,
}

/// What a token is. Keywords that may begin or continue declaration specifiers stand together, from `Typedef` to `Attribute`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names are the tokens that they stand for")]
pub enum TokenKind {
    Eof,
    Ident,
    Number,
    Char,
    String,

    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Semi,
    Comma,
    Colon,
    Question,
    Dot,
    Arrow,
    Ellipsis,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    PlusPlus,
    MinusMinus,
    Amp,
    AmpAmp,
    Pipe,
    PipePipe,
    Caret,
    Tilde,
    Bang,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    EqualEqual,
    BangEqual,
    Shl,
    Shr,
    Equal,
    PlusEqual,
    MinusEqual,
    StarEqual,
    SlashEqual,
    PercentEqual,
    AmpEqual,
    PipeEqual,
    CaretEqual,
    ShlEqual,
    ShrEqual,

    Break,
    Case,
    Continue,
    Default,
    Do,
    Else,
    For,
    Goto,
    If,
    Return,
    Switch,
    While,
    Asm,
    Extension,
    LocalLabel,
    StaticAssert,
    Pragma,
    Sizeof,
    Alignof,
    GnuAlignof,
    Generic,
    Real,
    Imag,
    FunctionName,
    VaArg,
    Offsetof,
    TypesCompatible,
    ChooseExpr,
    /// A builtin with a grammar of its own that is not supported.
    Refused,
    True,
    False,
    Nullptr,

    Typedef,
    Extern,
    Static,
    Auto,
    Register,
    ThreadLocal,
    Inline,
    Noreturn,
    Constexpr,
    Const,
    Volatile,
    Restrict,
    Atomic,
    Void,
    Bool,
    Char_,
    Short,
    Int,
    Long,
    Signed,
    Unsigned,
    Float,
    Double,
    Complex,
    Imaginary,
    Int128,
    Int128Name,
    UnsignedInt128Name,
    Float16,
    Float32,
    Float64,
    Float32x,
    Float64x,
    Float128,
    Decimal,
    VaList,
    BitInt,
    Struct,
    Union,
    Enum,
    Typeof,
    TypeofUnqual,
    AutoType,
    Alignas,
    Attribute,
}

impl TokenKind {
    /// Whether declaration specifiers can begin with this keyword.
    pub fn is_specifier(self) -> bool {
        (TokenKind::Typedef..=TokenKind::Attribute).contains(&self)
    }
}

/// Where a keyword is one.
#[derive(Clone, Copy)]
enum Since {
    Always,
    C99,
    C99OrGnu,
    Gnu,
    C23,
    C23OrGnu,
}

impl Since {
    fn holds(self, options: &Options) -> bool {
        match self {
            Since::Always => true,
            Since::C99 => options.standard >= 1999,
            Since::C99OrGnu => options.gnu || options.standard >= 1999,
            Since::Gnu => options.gnu,
            Since::C23 => options.standard >= 2023,
            Since::C23OrGnu => options.gnu || options.standard >= 2023,
        }
    }
}

/// Tells keywords from other names: keywords are interned first, so that their symbols are small numbers.
#[derive(Debug)]
pub struct Keywords {
    kinds: Vec<TokenKind>,
}

impl Keywords {
    /// The keywords of a version of C, which become the first symbols of the table.
    pub fn new(names: &mut Interner, options: &Options) -> Self {
        let kinds = KEYWORDS.iter().map(|&(name, kind, since)| {
            names.intern(name);
            if since.holds(options) { kind } else { TokenKind::Ident }
        });
        Keywords { kinds: kinds.collect() }
    }
    /// What a name is.
    pub fn kind(&self, symbol: Symbol) -> TokenKind {
        self.kinds.get(symbol.0 as usize).copied().unwrap_or(TokenKind::Ident)
    }
}

/// The basic type of a keyword that cannot be combined with other type keywords, `_Complex` apart.
pub fn lone_type(kind: TokenKind) -> Option<ast::BasicType> {
    use ast::BasicType;
    Some(match kind {
        TokenKind::Void => BasicType::Void,
        TokenKind::Bool => BasicType::Bool,
        TokenKind::Int128Name => BasicType::Int128,
        TokenKind::UnsignedInt128Name => BasicType::UnsignedInt128,
        TokenKind::Float => BasicType::Float,
        TokenKind::Float16 => BasicType::Float16,
        TokenKind::Float32 => BasicType::Float,
        TokenKind::Float64 | TokenKind::Float32x => BasicType::Double,
        TokenKind::Float64x => BasicType::LongDouble,
        TokenKind::Float128 => BasicType::Float128,
        TokenKind::Decimal => BasicType::Decimal,
        TokenKind::Imaginary => BasicType::Imaginary,
        TokenKind::VaList => BasicType::VaList,
        _ => return None,
    })
}

const KEYWORDS: &[(&str, TokenKind, Since)] = &[
    ("break", TokenKind::Break, Since::Always),
    ("case", TokenKind::Case, Since::Always),
    ("continue", TokenKind::Continue, Since::Always),
    ("default", TokenKind::Default, Since::Always),
    ("do", TokenKind::Do, Since::Always),
    ("else", TokenKind::Else, Since::Always),
    ("for", TokenKind::For, Since::Always),
    ("goto", TokenKind::Goto, Since::Always),
    ("if", TokenKind::If, Since::Always),
    ("return", TokenKind::Return, Since::Always),
    ("switch", TokenKind::Switch, Since::Always),
    ("while", TokenKind::While, Since::Always),
    ("asm", TokenKind::Asm, Since::Gnu),
    ("__asm", TokenKind::Asm, Since::Always),
    ("__asm__", TokenKind::Asm, Since::Always),
    ("__extension__", TokenKind::Extension, Since::Always),
    ("__label__", TokenKind::LocalLabel, Since::Always),
    ("_Static_assert", TokenKind::StaticAssert, Since::Always),
    ("static_assert", TokenKind::StaticAssert, Since::C23),
    ("_Pragma", TokenKind::Pragma, Since::Always),
    ("sizeof", TokenKind::Sizeof, Since::Always),
    ("_Alignof", TokenKind::Alignof, Since::Always),
    ("alignof", TokenKind::Alignof, Since::C23),
    ("__alignof", TokenKind::GnuAlignof, Since::Always),
    ("__alignof__", TokenKind::GnuAlignof, Since::Always),
    ("_Generic", TokenKind::Generic, Since::Always),
    ("__real", TokenKind::Real, Since::Always),
    ("__real__", TokenKind::Real, Since::Always),
    ("__imag", TokenKind::Imag, Since::Always),
    ("__imag__", TokenKind::Imag, Since::Always),
    ("__func__", TokenKind::FunctionName, Since::Always),
    ("__FUNCTION__", TokenKind::FunctionName, Since::Always),
    ("__PRETTY_FUNCTION__", TokenKind::FunctionName, Since::Always),
    ("__builtin_va_arg", TokenKind::VaArg, Since::Always),
    ("__builtin_offsetof", TokenKind::Offsetof, Since::Always),
    ("__builtin_types_compatible_p", TokenKind::TypesCompatible, Since::Always),
    ("__builtin_choose_expr", TokenKind::ChooseExpr, Since::Always),
    ("__builtin_convertvector", TokenKind::Refused, Since::Always),
    ("__builtin_has_attribute", TokenKind::Refused, Since::Always),
    ("true", TokenKind::True, Since::C23),
    ("false", TokenKind::False, Since::C23),
    ("nullptr", TokenKind::Nullptr, Since::C23),
    ("typedef", TokenKind::Typedef, Since::Always),
    ("extern", TokenKind::Extern, Since::Always),
    ("static", TokenKind::Static, Since::Always),
    ("auto", TokenKind::Auto, Since::Always),
    ("register", TokenKind::Register, Since::Always),
    ("_Thread_local", TokenKind::ThreadLocal, Since::Always),
    ("thread_local", TokenKind::ThreadLocal, Since::C23),
    ("__thread", TokenKind::ThreadLocal, Since::Always),
    ("inline", TokenKind::Inline, Since::C99OrGnu),
    ("__inline", TokenKind::Inline, Since::Always),
    ("__inline__", TokenKind::Inline, Since::Always),
    ("_Noreturn", TokenKind::Noreturn, Since::Always),
    ("constexpr", TokenKind::Constexpr, Since::C23),
    ("const", TokenKind::Const, Since::Always),
    ("__const", TokenKind::Const, Since::Always),
    ("__const__", TokenKind::Const, Since::Always),
    ("volatile", TokenKind::Volatile, Since::Always),
    ("__volatile", TokenKind::Volatile, Since::Always),
    ("__volatile__", TokenKind::Volatile, Since::Always),
    ("restrict", TokenKind::Restrict, Since::C99),
    ("__restrict", TokenKind::Restrict, Since::Always),
    ("__restrict__", TokenKind::Restrict, Since::Always),
    ("_Atomic", TokenKind::Atomic, Since::Always),
    ("void", TokenKind::Void, Since::Always),
    ("_Bool", TokenKind::Bool, Since::Always),
    ("bool", TokenKind::Bool, Since::C23),
    ("char", TokenKind::Char_, Since::Always),
    ("short", TokenKind::Short, Since::Always),
    ("int", TokenKind::Int, Since::Always),
    ("long", TokenKind::Long, Since::Always),
    ("signed", TokenKind::Signed, Since::Always),
    ("__signed", TokenKind::Signed, Since::Always),
    ("__signed__", TokenKind::Signed, Since::Always),
    ("unsigned", TokenKind::Unsigned, Since::Always),
    ("float", TokenKind::Float, Since::Always),
    ("double", TokenKind::Double, Since::Always),
    ("_Complex", TokenKind::Complex, Since::Always),
    ("__complex", TokenKind::Complex, Since::Always),
    ("__complex__", TokenKind::Complex, Since::Always),
    ("_Imaginary", TokenKind::Imaginary, Since::Always),
    ("__int128", TokenKind::Int128, Since::Always),
    ("__int128_t", TokenKind::Int128Name, Since::Always),
    ("__uint128_t", TokenKind::UnsignedInt128Name, Since::Always),
    ("_Float16", TokenKind::Float16, Since::Always),
    ("_Float32", TokenKind::Float32, Since::Always),
    ("_Float64", TokenKind::Float64, Since::Always),
    ("_Float32x", TokenKind::Float32x, Since::Always),
    ("_Float64x", TokenKind::Float64x, Since::Always),
    ("__float80", TokenKind::Float64x, Since::Always),
    ("_Float128", TokenKind::Float128, Since::Always),
    ("__float128", TokenKind::Float128, Since::Always),
    ("_Decimal32", TokenKind::Decimal, Since::Always),
    ("_Decimal64", TokenKind::Decimal, Since::Always),
    ("_Decimal128", TokenKind::Decimal, Since::Always),
    ("__builtin_va_list", TokenKind::VaList, Since::Always),
    ("_BitInt", TokenKind::BitInt, Since::Always),
    ("struct", TokenKind::Struct, Since::Always),
    ("union", TokenKind::Union, Since::Always),
    ("enum", TokenKind::Enum, Since::Always),
    ("typeof", TokenKind::Typeof, Since::C23OrGnu),
    ("__typeof", TokenKind::Typeof, Since::Always),
    ("__typeof__", TokenKind::Typeof, Since::Always),
    ("typeof_unqual", TokenKind::TypeofUnqual, Since::C23),
    ("__typeof_unqual", TokenKind::TypeofUnqual, Since::Always),
    ("__typeof_unqual__", TokenKind::TypeofUnqual, Since::Always),
    ("__auto_type", TokenKind::AutoType, Since::Always),
    ("_Alignas", TokenKind::Alignas, Since::Always),
    ("alignas", TokenKind::Alignas, Since::C23),
    ("__attribute", TokenKind::Attribute, Since::Always),
    ("__attribute__", TokenKind::Attribute, Since::Always),
];
