//! Views of a program.

mod loops;
mod pointers;
mod symbols;

use clap::ValueEnum;
use model::{FunctionId, Program};
use passes::checks::instrument;
use report::graph::Graphs;
use report::json;
use serde_json::Value;

use crate::checks;

/// What to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum View {
    /// Everything, in the model's own language
    Model,
    /// The flow of control: blocks and guarded edges
    Cfg,
    /// The loops of each function, and how they are nested
    Loops,
    /// Functions and objects
    Symbols,
    /// What pointers may point to, and the regions of memory
    Pointers,
}

/// In which form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For Graphviz.
    Dot,
    /// For browsers.
    Svg,
}

/// Which places the text of a model has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Spans {
    /// All: the text can be read back without loss
    Full,
    /// Those of declarations and commands
    Commands,
    /// None
    None,
}

impl From<Spans> for model::text::Spans {
    fn from(spans: Spans) -> Self {
        match spans {
            Spans::Full => model::text::Spans::Full,
            Spans::Commands => model::text::Spans::Commands,
            Spans::None => model::text::Spans::None,
        }
    }
}

/// What to show, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShowOptions {
    /// What.
    pub view: View,
    /// Only this function.
    pub function: Option<String>,
    /// In which form.
    pub format: Format,
    /// With which places.
    pub spans: Spans,
    /// With the assertions of which checks, by name.
    pub checks: Option<String>,
}

/// The view, or what is wrong with the options.
pub fn show(mut program: Program, options: &ShowOptions) -> Result<String, String> {
    if let Some(list) = &options.checks {
        instrument(&mut program, &checks::parse(list)?);
    }
    let program = &program;
    let chosen = Chosen::new(program, options.function.as_deref())?;
    match (options.view, options.format) {
        (View::Model, Format::Text) => Ok(chosen.model(options.spans.into())),
        (View::Model, Format::Json) => Ok(chosen.json(json::program(program), "name")),
        (View::Cfg, Format::Text) => Ok(chosen.graphs(Graphs::text)),
        (View::Cfg, Format::Json) => Ok(pretty(&json::cfg(program, chosen.defined()))),
        (View::Cfg, Format::Dot) => Ok(chosen.graphs(Graphs::dot)),
        (View::Cfg, Format::Svg) => chosen.drawing(),
        (View::Loops, Format::Text) => Ok(loops::text(program, chosen.functions.iter().filter_map(|id| program.functions.get(*id)))),
        (View::Loops, Format::Json) => Ok(chosen.json(json::loops(program), "function")),
        (View::Symbols, Format::Text) => Ok(symbols::text(program, chosen.name)),
        (View::Symbols, Format::Json) => Ok(chosen.json(json::symbols(program), "name")),
        (View::Pointers, Format::Text) => Ok(pointers::text(program, chosen.defined(), chosen.name.is_some())),
        (View::Pointers, Format::Json) => Err("`show pointers` has no JSON form".to_string()),
        (_, Format::Dot | Format::Svg) => Err("only `show cfg` can be drawn".to_string()),
    }
}

/// The functions to show.
struct Chosen<'a> {
    program: &'a Program,
    name: Option<&'a str>,
    functions: Vec<FunctionId>,
}

impl<'a> Chosen<'a> {
    fn new(program: &'a Program, name: Option<&'a str>) -> Result<Self, String> {
        let functions = program.functions.enumerate().filter(|(_, function)| name.is_none_or(|name| function.name == name));
        let functions: Vec<FunctionId> = functions.map(|(id, _)| id).collect();
        match name {
            Some(name) if functions.is_empty() => Err(format!("there is no function `{name}`")),
            _ => Ok(Chosen { program, name, functions }),
        }
    }

    /// Those that have a body.
    fn defined(&self) -> impl Iterator<Item = FunctionId> {
        let has_body = |id: &FunctionId| self.program.functions.get(*id).is_some_and(|function| function.body.is_some());
        self.functions.iter().copied().filter(has_body)
    }

    /// The model of the chosen function, or all of it.
    fn model(&self, spans: model::text::Spans) -> String {
        match self.name {
            Some(_) => self.functions.iter().map(|id| model::text::function(self.program, *id, spans)).collect(),
            None => model::text::program(self.program, spans),
        }
    }

    /// The graphs one after the other.
    fn graphs(&self, draw: fn(&Graphs<'a>, FunctionId) -> String) -> String {
        let graphs = Graphs::new(self.program);
        self.defined().map(|id| draw(&graphs, id)).collect::<Vec<_>>().join("\n")
    }

    /// The graph of the one function as a drawing.
    fn drawing(&self) -> Result<String, String> {
        let mut defined = self.defined();
        match (defined.next(), defined.next()) {
            (Some(id), None) => Ok(Graphs::new(self.program).svg(id)),
            (None, _) => Err("there is no function with a body to be drawn".to_string()),
            (Some(_), Some(_)) => Err("a drawing shows one function: choose one with --function".to_string()),
        }
    }

    /// A list of things, or those of the chosen name.
    fn json(&self, mut value: Value, key: &str) -> String {
        let list = if value.is_array() { Some(&mut value) } else { value.get_mut("functions") };
        if let (Some(name), Some(Value::Array(list))) = (self.name, list) {
            list.retain(|item| item[key] == name);
        }
        pretty(&value)
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
