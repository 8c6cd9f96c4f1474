//! Formulas as text: for people, and as annotations that other tools read.

mod c;
mod sum;
/// What is allocated somewhere.
fn allocated(span: Span) -> String {
    if span == Span::NONE { "what the library allocates".to_owned() } else { format!("what line {} allocates", span.line) }
}

/// That a pointer in some objects leads to objects, or several do.
fn leads(offset: u64, repeat: Option<Repeat>, whose: &str, null: bool) -> Text {
    let or_null = if null { " or is null" } else { "" };
    let places = match repeat {
        None => format!("the pointer at byte {offset}"),
        Some(Repeat { step, count: None }) => format!("each pointer at byte {offset}, and every {step} bytes behind it,"),
        Some(Repeat { step, count: Some(count) }) => format!("each of the {count} pointers from byte {offset} on, {step} bytes apart,"),
    };
    Text::atom(format!("{places} of {whose} leads to an object{or_null}"))
}

#[cfg(test)]
mod tests;

use model::{Body, ExprId, ExprKind, PlaceId, PlaceKind, Program, Span, Type, TypeId};

use pointers::Object;

use crate::formula::{Aspect, Each, Elements, Field, Formula, Holding, Linear, Links, Moment, Quantity, Relation, Repeat, Source};
use c::{Printer, Text, character, negation, strength};

/// Whose language formulas are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// For people: C, with `entry(x)` for what `x` was when the loop was entered, `iterations`, and `a[i..j)` for the elements from `i` to before `j`.
    /// Sums mean what they mean in mathematics.
    Source,
    /// ACSL, the language of Frama-C.
    Acsl,
    /// C with CBMC's additions.
    Cprover,
}

/// A formula about a loop of a body as text; `None` where the style cannot say it.
pub fn formula_text(program: &Program, body: &Body, formula: &Formula, style: Style) -> Option<String> {
    Some(Printer::new(program, body, style).formula(formula, DEPTH)?.text)
}

/// A sum about a loop of a body as text; `None` where the style cannot say it.
pub fn sum_text(program: &Program, body: &Body, sum: &Linear, style: Style) -> Option<String> {
    Some(Printer::new(program, body, style).sum(sum)?.text)
}

/// How deep formulas may be nested.
const DEPTH: u32 = 32;

/// What is said of each element.
struct Pattern {
    ty: TypeId,
    low: u128,
    high: u128,
}

impl Printer<'_> {
    fn formula(&self, formula: &Formula, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        match formula {
            Formula::Compare(sum, relation) => self.compare(sum, *relation),
            Formula::Modular(sum, power) => self.modular(sum, *power),
            Formula::Multiple(sum, of) => self.multiple(sum, u128::from(*of)),
            Formula::Holds(expr) => self.condition(*expr),
            Formula::Null(source) => {
                let source = self.source(*source, Moment::Now)?;
                Some(Text::new(format!("{} == {}", source.at(strength::EQUAL + 1), self.null().text), strength::EQUAL))
            }
            Formula::SameObject(a, b) => Some(self.same_object(self.source(a.0, a.1)?, self.source(b.0, b.1)?)),
            Formula::SamePointer(a, b) => {
                let (a, b) = (self.source(a.0, a.1)?, self.source(b.0, b.1)?);
                Some(Text::new(format!("{} == {}", a.at(strength::EQUAL + 1), b.at(strength::EQUAL + 1)), strength::EQUAL))
            }
            Formula::Alive(source) => Some(self.alive(self.source(*source, Moment::Now)?)),
            Formula::Range { elements, first, count, low, high } => {
                let pattern = Pattern { ty: self.element_type(*elements)?, low: *low, high: *high };
                self.range(*elements, first, count, &pattern)
            }
            Formula::Initialised { elements, first, count } => self.initialised(*elements, first, count),
            Formula::Terminated(elements) => self.terminated(*elements),
            Formula::Linked(links) => self.linked(*links),
            Formula::Each(each) => self.each(each),
            Formula::Agree { elements, first, others, other_first, count } => self.agree((*elements, first), (*others, other_first), count),
            Formula::Not(inner) => self.negated_formula(inner, depth),
            Formula::All(parts) => self.joined(parts, "&&", strength::AND, depth),
            Formula::Any(parts) => self.any(parts, depth),
        }
    }

    /// Pointers in objects that have no names: only people are told.
    fn linked(&self, links: Links) -> Option<Text> {
        let Links { object, offset, repeat, null, span } = links;
        let whose = match object {
            _ if self.style != Style::Source => return None,
            Object::Global(global) => format!("`{}`", self.program.globals.get(global)?.name),
            Object::Local(function, local) => {
                format!("`{}`", self.program.functions.get(function)?.body.as_ref()?.locals.get(local)?.name)
            }
            Object::Arguments => return Some(Text::atom("all arguments are strings".to_owned())),
            _ => allocated(span),
        };
        Some(leads(offset, repeat, &whose, null))
    }

    /// What holds of objects that have no names.
    fn each(&self, each: &Each) -> Option<Text> {
        if self.style != Style::Source {
            return None;
        }
        let whose = allocated(each.span);
        Some(match &each.holds {
            Holding::Terminated => Text::atom(format!("all of {whose} is zero-terminated")),
            Holding::Leads(offset, repeat, null) => leads(*offset, *repeat, &whose, *null),
            Holding::Sum(fields, constant, relation) => {
                let name = |field: &Field| {
                    Some(self.program.types.records().get(field.name.0)?.layout.as_ref()?.fields.get(field.name.1 as usize)?.name.clone())
                };
                let parts = fields.iter().map(|(factor, field)| Some((*factor, name(field)?))).collect::<Option<Vec<_>>>()?;
                Text::atom(format!("{} in all of {whose}", sum::compared(&parts, *constant, *relation)))
            }
        })
    }

    fn negated_formula(&self, formula: &Formula, depth: u32) -> Option<Text> {
        match formula {
            Formula::Compare(sum, Relation::Equal) => self.compare(sum, Relation::Different),
            Formula::Compare(sum, Relation::Different) => self.compare(sum, Relation::Equal),
            // Not `sum <= 0` is `1 - sum <= 0`.
            Formula::Compare(sum, Relation::AtMost) => self.compare(&Linear::constant(1).minus(sum), Relation::AtMost),
            Formula::Holds(expr) if *self.program.types.get(self.body.exprs.get(*expr)?.ty) == Type::Bool => self.negated(*expr),
            Formula::Null(source) => {
                let source = self.source(*source, Moment::Now)?;
                Some(Text::new(format!("{} != {}", source.at(strength::EQUAL + 1), self.null().text), strength::EQUAL))
            }
            _ => Some(negation(self.formula(formula, depth)?)),
        }
    }

    /// A disjunction; one whose first part is negated reads as an implication.
    fn any(&self, parts: &[Formula], depth: u32) -> Option<Text> {
        let arrow = match self.style {
            Style::Source => "=>",
            Style::Acsl => "==>",
            Style::Cprover => return self.joined(parts, "||", strength::OR, depth),
        };
        match parts {
            [Formula::Not(premise), conclusion] => {
                let (premise, conclusion) = (self.formula(premise, depth)?, self.formula(conclusion, depth)?);
                let text = format!("{} {arrow} {}", premise.at(strength::OR), conclusion.at(strength::OR));
                Some(Text::new(text, strength::IMPLIES))
            }
            _ => self.joined(parts, "||", strength::OR, depth),
        }
    }

    fn joined(&self, parts: &[Formula], symbol: &str, strength: u8, depth: u32) -> Option<Text> {
        let mut texts = Vec::new();
        for part in parts {
            texts.push(self.formula(part, depth)?);
        }
        match texts.len() {
            0 => {
                let holds = symbol == "&&";
                Some(Text::atom(match self.style {
                    Style::Source => {
                        if holds {
                            "true"
                        } else {
                            "false"
                        }
                    }
                    Style::Acsl => {
                        if holds {
                            "\\true"
                        } else {
                            "\\false"
                        }
                    }
                    Style::Cprover => {
                        if holds {
                            "1"
                        } else {
                            "0"
                        }
                    }
                }))
            }
            1 => texts.pop(),
            _ => {
                let texts: Vec<String> = texts.into_iter().map(|text| text.at(strength + 1)).collect();
                Some(Text::new(texts.join(&format!(" {symbol} ")), strength))
            }
        }
    }

    fn range(&self, elements: Elements, first: &Linear, count: &Linear, pattern: &Pattern) -> Option<Text> {
        if self.style == Style::Source {
            return self.holds_pattern(Text::atom(self.segment(elements, first, count)?), pattern);
        }
        let k = self.bound_variable();
        let end = first.clone().plus(1, count);
        let element = self.holds_pattern(self.element(elements, &k)?, pattern)?;
        self.for_all(&k, first, &end, element)
    }

    fn initialised(&self, elements: Elements, first: &Linear, count: &Linear) -> Option<Text> {
        match self.style {
            Style::Source => Some(Text::atom(format!("initialised({})", self.segment(elements, first, count)?))),
            Style::Acsl => {
                let k = self.bound_variable();
                let end = first.clone().plus(1, count);
                let element = Text::atom(format!("\\initialized(&{})", self.element(elements, &k)?.at(strength::POSTFIX)));
                self.for_all(&k, first, &end, element)
            }
            Style::Cprover => None,
        }
    }

    /// Some elements, as people write them.
    fn segment(&self, elements: Elements, first: &Linear, count: &Linear) -> Option<String> {
        let (base, suffix) = self.base(elements)?;
        let end = first.clone().plus(1, count);
        let text = match self.walk(elements, first, &end) {
            Some((start, end)) => format!("[{start}..{end}){suffix}"),
            None => {
                let (first, end) = (self.sum(first)?, self.sum(&end)?);
                let moved = elements.base == Moment::Entry && elements.content == Moment::Now && self.moves(elements);
                let base = if moved { self.at_entry(base, true)? } else { base };
                format!("{}[{}..{}){suffix}", base.at(strength::POSTFIX), first.text, end.text)
            }
        };
        Some(if elements.content == Moment::Entry { format!("entry({text})") } else { text })
    }

    /// The ends of a segment, if one is near where its pointer was when the loop was entered, and the other near where it is now.
    fn walk(&self, elements: Elements, first: &Linear, end: &Linear) -> Option<(String, String)> {
        let base = self.base_pointer(elements)?;
        let step = i64::try_from(self.program.types.size_of(self.root_type(elements)?)?).ok().filter(|step| *step > 0)?;
        let is_base = |source| match (base, source) {
            (Source::Expr(pointer), Source::Local(local)) => self.loads(pointer, PlaceKind::Local(local)),
            (Source::Expr(pointer), Source::Global(global)) => self.loads(pointer, PlaceKind::Global(global)),
            _ => source == base,
        };
        let quantities = first.parts.iter().chain(&end.parts).map(|(_, quantity)| *quantity);
        let mut sources = quantities.filter_map(|quantity| match quantity {
            Quantity::Of(source, Aspect::Offset, _) if is_base(source) => Some(source),
            _ => None,
        });
        let source = sources.next()?;
        let offset = |moment| Linear::of(Quantity::Of(source, Aspect::Offset, moment));
        let near = |number: &Linear| {
            let bytes = offset(elements.base).plus(step, number);
            [Moment::Entry, Moment::Now].into_iter().find_map(|moment| {
                let rest = bytes.clone().minus(&offset(moment));
                let whole = rest.parts.is_empty() && rest.constant % i128::from(step) == 0;
                whole.then(|| (moment, rest.constant / i128::from(step)))
            })
        };
        let (start, end) = (near(first)?, near(end)?);
        if start.0 == end.0 {
            return None;
        }
        let text = |(moment, by): (Moment, i128)| Some(shifted_text(&self.source(source, moment)?.text, by));
        Some((text(start)?, text(end)?))
    }

    fn loads(&self, expr: ExprId, kind: PlaceKind) -> bool {
        matches!(self.body.exprs[expr].kind, ExprKind::Load(place) if self.body.places[place].kind == kind)
    }

    /// Whether a base is a pointer, which may point elsewhere later.
    fn moves(&self, elements: Elements) -> bool {
        self.base_pointer(elements).is_some()
    }

    /// The scalar's outermost element place: what is left without its fields.
    fn root(&self, place: PlaceId) -> Option<PlaceId> {
        let mut root = place;
        while let PlaceKind::Field(base, _) = self.body.places.get(root)?.kind {
            root = base;
        }
        Some(root)
    }

    /// What each element is.
    fn element_type(&self, elements: Elements) -> Option<TypeId> {
        match elements.place {
            Some(place) => Some(self.body.places.get(place)?.ty),
            None => self.pointee(elements.pointer?),
        }
    }

    /// What is repeated: elements, or what they are fields of.
    fn root_type(&self, elements: Elements) -> Option<TypeId> {
        match elements.place {
            Some(place) => Some(self.body.places.get(self.root(place)?)?.ty),
            None => self.pointee(elements.pointer?),
        }
    }

    fn pointee(&self, pointer: Source) -> Option<TypeId> {
        match self.program.types.get(self.source_type(pointer)?) {
            Type::Pointer(to) | Type::Array { elem: to, .. } => Some(*to),
            _ => None,
        }
    }

    fn base_pointer(&self, elements: Elements) -> Option<Source> {
        if elements.pointer.is_some() {
            return elements.pointer;
        }
        let PlaceKind::Deref(mut pointer) = self.body.places.get(self.root(elements.place?)?)?.kind else { return None };
        loop {
            match self.body.exprs.get(pointer)?.kind {
                ExprKind::PointerAdd(base, _) => pointer = base,
                ExprKind::Cast(inner) if matches!(self.body.exprs.get(inner)?.kind, ExprKind::PointerAdd(..)) => pointer = inner,
                _ => return Some(Source::Expr(pointer)),
            }
        }
    }

    /// What elements are counted from, and the fields behind the index.
    fn base(&self, elements: Elements) -> Option<(Text, String)> {
        let suffix = self.suffix(elements)?;
        let Some(pointer) = self.base_pointer(elements) else {
            let PlaceKind::Index(array, _) = self.body.places.get(self.root(elements.place?)?)?.kind else { return None };
            return Some((self.place(array)?, suffix));
        };
        let (text, ty) = (self.source(pointer, Moment::Now)?, self.root_type(elements)?);
        let base = match self.pointee(pointer) == Some(ty) {
            true => text,
            false => Text::new(format!("({} *){}", self.type_name(ty)?, text.at(strength::UNARY)), strength::UNARY),
        };
        Some((base, suffix))
    }

    fn suffix(&self, elements: Elements) -> Option<String> {
        let mut suffix = String::new();
        let mut open = elements.place;
        while let Some(place) = open {
            open = match self.body.places.get(place)?.kind {
                PlaceKind::Field(base, _) => Some(base),
                _ => return Some(suffix),
            };
            let name = &self.body.field(&self.program.types, place)?.name;
            if !name.is_empty() {
                suffix.insert_str(0, &format!(".{name}"));
            }
        }
        Some(suffix)
    }

    /// The element with a given number, for a tool.
    fn element(&self, elements: Elements, number: &str) -> Option<Text> {
        let (base, suffix) = self.base(elements)?;
        let element = |base: Text| Text::atom(format!("{}[{number}]{suffix}", base.at(strength::POSTFIX)));
        match (elements.base, elements.content) {
            (Moment::Now, Moment::Now) => Some(element(base)),
            (Moment::Entry, Moment::Now) if !self.moves(elements) => Some(element(base)),
            (Moment::Entry, Moment::Now) => Some(element(self.at_entry(base, true)?)),
            // CBMC has no history of elements that a quantifier ranges over.
            (Moment::Entry, Moment::Entry) => self.at_entry(element(base), false),
            (Moment::Now, Moment::Entry) if !self.moves(elements) => self.at_entry(element(base), false),
            (Moment::Now, Moment::Entry) => None,
        }
    }

    /// That a value (or each of some) has one of the patterns of a range.
    fn holds_pattern(&self, value: Text, pattern: &Pattern) -> Option<Text> {
        let types = &self.program.types;
        let bits = types.bits(pattern.ty)?;
        let all = types.truncate(pattern.ty, u128::MAX);
        let (low, high) = (pattern.low, pattern.high);
        let number = |pattern_of: u128| {
            let is_character = *types.get(pattern.ty) == Type::Int { bits: 8, signed: true };
            let picture = if is_character { character(pattern_of) } else { None };
            picture.or_else(|| Some(self.constant(pattern.ty, pattern_of)?.text))
        };
        let value = value.at(strength::LESS + 1);
        let equation = |symbol: &str, of: u128| Some(Text::new(format!("{value} {symbol} {}", number(of)?), strength::EQUAL));
        let order = |symbol: &str, of: u128| Some(Text::new(format!("{value} {symbol} {}", number(of)?), strength::LESS));
        if low == high {
            return equation("==", low);
        }
        if low == high.wrapping_add(2) & all {
            return equation("!=", high.wrapping_add(1) & all);
        }
        let (least, greatest) = if types.is_signed(pattern.ty) { (1 << (bits - 1), all >> 1) } else { (0, all) };
        let ascending = types.value(pattern.ty, low) <= types.value(pattern.ty, high) || (!types.is_signed(pattern.ty) && low <= high);
        match (ascending, low == least, high == greatest) {
            (true, true, _) => order("<=", high),
            (true, _, true) => order(">=", low),
            (true, ..) if self.style == Style::Cprover => {
                let text = format!("{} <= {value} && {value} <= {}", number(low)?, number(high)?);
                Some(Text::new(text, strength::AND))
            }
            (true, ..) => Some(Text::new(format!("{} <= {value} <= {}", number(low)?, number(high)?), strength::LESS)),
            (false, ..) => Some(Text::new(format!("{value} <= {} || {value} >= {}", number(high)?, number(low)?), strength::OR)),
        }
    }

    fn terminated(&self, elements: Elements) -> Option<Text> {
        if self.style == Style::Source {
            let (base, suffix) = self.base(elements)?;
            let moves = self.moves(elements);
            let text = match (elements.base, elements.content) {
                (Moment::Entry, Moment::Now) if moves => format!("zero_terminated({}{suffix})", self.at_entry(base, true)?.text),
                (_, Moment::Entry) => format!("entry(zero_terminated({}{suffix}))", base.text),
                _ => format!("zero_terminated({}{suffix})", base.text),
            };
            return Some(Text::atom(text));
        }
        let (base, _) = self.base(elements)?;
        let base = if elements.base == Moment::Entry && self.moves(elements) { self.at_entry(base, true)? } else { base };
        let step = self.program.types.size_of(self.root_type(elements)?)?;
        let k = self.bound_variable();
        let (size, offset) = (self.size(Text::atom(base.text.clone())), self.offset(base));
        let element = self.element(elements, &k)?.text;
        let scaled = if step == 1 { k.clone() } else { format!("{step}*{k}") };
        Some(Text::atom(match self.style {
            Style::Acsl => {
                format!("(\\exists integer {k}; 0 <= {k} && {scaled} < {} - {} && {element} == 0)", size.text, offset.text)
            }
            _ => format!(
                "__CPROVER_exists {{ long long {k}; 0 <= {k} && {scaled} < (long long){} - {} && {element} == 0 }}",
                size.text, offset.text
            ),
        }))
    }

    fn agree(&self, a: (Elements, &Linear), b: (Elements, &Linear), count: &Linear) -> Option<Text> {
        if self.style == Style::Source {
            let (a, b) = (self.segment(a.0, a.1, count)?, self.segment(b.0, b.1, count)?);
            return Some(Text::new(format!("{a} == {b}"), strength::EQUAL));
        }
        let k = self.bound_variable();
        // Counted from the first segment's base, so that the usual case of equal indices reads well.
        let distance = b.1.clone().minus(a.1);
        let other = match distance == Linear::default() {
            true => k.clone(),
            false => format!("{k} + {}", self.sum(&distance)?.at(strength::SUM + 1)),
        };
        let equal = format!("{} == {}", self.element(a.0, &k)?.text, self.element(b.0, &other)?.text);
        let end = a.1.clone().plus(1, count);
        self.for_all(&k, a.1, &end, Text::new(equal, strength::EQUAL))
    }

    fn for_all(&self, k: &str, first: &Linear, end: &Linear, claim: Text) -> Option<Text> {
        let (first, end) = (self.sum(first)?.at(strength::SUM), self.sum(end)?.at(strength::SUM));
        Some(Text::atom(match self.style {
            Style::Cprover => {
                format!("__CPROVER_forall {{ long long {k}; ({first} <= {k} && {k} < {end}) ==> ({}) }}", claim.text)
            }
            _ => format!("(\\forall integer {k}; {first} <= {k} < {end} ==> {})", claim.at(strength::OR)),
        }))
    }

    /// A name that nothing in the body has.
    fn bound_variable(&self) -> String {
        let is_taken = |name: &str| {
            self.body.locals.iter().any(|local| local.name == name) || self.program.globals.iter().any(|global| global.name == name)
        };
        let mut name = "k".to_owned();
        while is_taken(&name) {
            name.push('_');
        }
        name
    }
}

fn shifted_text(base: &str, by: i128) -> String {
    match by {
        0 => base.to_owned(),
        1.. => format!("{base} + {by}"),
        _ => format!("{base} - {}", by.unsigned_abs()),
    }
}
