//! The encoder and what comes out of it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use logic::{Answer, Context, Term, Terms};
use model::{BlockId, Body, Check, Created, FlowGraph, FunctionId, LocalId, LoopForest, PlaceId, Program, Span, Type, TypeId};
use pointers::{Analysis, Object, RegionId, RegionKind, Regions, Site, Writes};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::access::Cells;
use crate::each::{HeapPointer, KnownOfEach};
use crate::object::{Crowd, Objects};
use crate::options::Options;
use crate::origin::Origins;
use crate::reach::Reach;
use crate::recursion::Contract;
use crate::scalar::{POINTER, Scalar};
use crate::shape::{Shape, Shapes};
use crate::shared::{Shared, SharedCall};
use crate::slice::Topic;
use crate::start::MoreArguments;
use crate::state::{Slot, State, Value};
use crate::summary::{Leap, Round, Summarizer};
use crate::trial::Deferred;
use crate::visits::Visit;

/// Questions about feasibility are cheap until the solver has propagated so much.
const CHEAP: u64 = 20_000_000;

/// A program as terms.
pub struct Encoding {
    /// The terms.
    pub terms: Terms,
    /// A solver that knows some of them already.
    pub context: Context,
    /// What must not be satisfiable, in the order in which control comes there.
    pub obligations: Vec<Obligation>,
    /// The values that the program does not compute, in the order in which control comes there.
    pub inputs: Vec<Input>,
    /// What makes inputs easy to read, if it can be had.
    pub preferences: Vec<Term>,
    /// Where paths were cut.
    pub cuts: Vec<Cut>,
    /// Where the program does something that is not modelled.
    pub gaps: Vec<Gap>,
    /// Functions without body or model that were called, how often, and where first.
    pub unknown: BTreeMap<String, (u32, Span)>,
    /// Loops that were followed to their end where runs come to them on one way or another, by function and header.
    pub followed: BTreeSet<(FunctionId, BlockId)>,
    /// What holds of the variables that stand for states at loop heads: no run is lost that satisfies it.
    pub facts: Vec<Term>,
    /// What each of the facts is about.
    pub topics: Vec<Topic>,
    /// How many terms there were when each loop that was not unwound began, in ascending order.
    pub starts: Vec<usize>,
    /// The loops that were replaced by summaries, in the order in which they were finished.
    pub leaps: Vec<Leap>,
    /// The rounds of those loops.
    pub rounds: Vec<Round>,
    /// The times that control comes to the heads of unwound loops, if runs are followed only as long as they are well-defined.
    pub visits: Vec<Visit>,
}

/// A check at one point of the unwound program.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What is checked.
    pub check: Check,
    /// In which function.
    pub function: FunctionId,
    /// In which block.
    pub block: BlockId,
    /// That control comes there, by valid accesses only, and the check fails.
    pub failure: Term,
    /// The same, whether the accesses before were valid or not.
    pub anyway: Term,
    /// That the check fails.
    pub broken: Term,
    /// How many terms there were at this point of the walk.
    pub made: usize,
}

/// A value that the environment gives.
#[derive(Clone, Debug)]
pub struct Input {
    /// When control comes there.
    pub guard: Term,
    /// What for.
    pub kind: InputKind,
    /// The value: a term of sort `Bool`, `Bits` or `Float`.
    pub value: Term,
    /// Where.
    pub span: Span,
    /// The function in which that is, and what its variables hold there. Known only in loops and calls that are summarised.
    pub(crate) asking: Option<(FunctionId, Rc<Vec<Slot>>)>,
}

impl Input {
    /// The function that asks for it, if that is known.
    pub fn function(&self) -> Option<FunctionId> {
        self.asking.as_ref().map(|(function, _)| *function)
    }

    /// The number that a variable of that function holds there, as bits with or without sign. Only integers that nothing points to are told.
    pub fn variable(&self, program: &Program, local: LocalId) -> Option<(Term, bool)> {
        let (function, slots) = self.asking.as_ref()?;
        let ty = program.functions.get(*function)?.body.as_ref()?.locals.get(local)?.ty;
        match (program.types.get(ty), slots.get(local.index())?) {
            (Type::Int { .. }, Slot::Private(Value::Scalar(Scalar::Term(term)), _)) => Some((*term, program.types.is_signed(ty))),
            _ => None,
        }
    }
}

/// What an input is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// The result of this function of verification tasks, or of a function without body.
    Call(String),
    /// The first value of this variable, which nobody gave it.
    Variable(String),
    /// A byte of the standard input, or (beyond 8 bits) its end.
    Standard,
    /// The number of arguments of `main`.
    ArgumentCount,
    /// A byte of an argument: which argument, which byte.
    Argument(u32, u32),
}

/// Paths that were not followed further.
#[derive(Clone, Debug)]
pub struct Cut {
    /// When control comes there by valid accesses only.
    pub guard: Term,
    /// When control comes there at all.
    pub anyway: Term,
    /// The function and block that would come next.
    pub function: FunctionId,
    /// The loop's header, or the block of the call.
    pub block: BlockId,
    /// Why.
    pub kind: CutKind,
    /// Where.
    pub span: Span,
}

/// Why paths were cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutKind {
    /// The loop has more iterations than were unwound.
    Loop,
    /// The function calls itself more often than was followed.
    Recursion,
    /// The formula would be too large.
    Size,
    /// Time or memory ran out.
    Budget,
    /// No run comes there by valid accesses only.
    Invalid,
}

/// Something that is not modelled: paths end there.
#[derive(Clone, Debug)]
pub struct Gap {
    /// When control comes there by valid accesses only; others are an invalid cut.
    pub guard: Term,
    /// In which function and block.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// What it is.
    pub reason: String,
    /// Where.
    pub span: Span,
}

/// The past of a point of the walk: what was made before so many loops had begun.
const RECENT: usize = 24;

/// Since how many terms what happens is not long past, for a point at which there were so many.
fn recent(starts: &[usize], made: usize) -> usize {
    let before = starts.partition_point(|start| *start <= made);
    before.checked_sub(RECENT).map_or(0, |place| starts[place])
}

impl Encoding {
    /// Since how many terms what happens is not long past, for a point of the walk at which there were so many.
    pub fn recent(&self, made: usize) -> usize {
        recent(&self.starts, made)
    }
}

/// Encodes a program from this function on. The program is instrumented with the checks to make; irreducible loops are gaps. With a summarizer, loops
/// are replaced by summaries; without, they are unwound.
pub fn encode<'p>(
    program: &'p Program,
    analysis: &'p Analysis<'p>,
    regions: &'p Regions,
    entry: FunctionId,
    options: Options,
    summarizer: Option<&'p mut dyn Summarizer>,
) -> Encoding {
    let mut encoder = Encoder::new(program, analysis, regions, entry, options);
    encoder.summarizer = summarizer;
    encoder.program_from(entry);
    let encoding = Encoding {
        terms: encoder.terms,
        context: encoder.context,
        obligations: encoder.obligations,
        inputs: encoder.inputs,
        preferences: encoder.preferences,
        cuts: encoder.cuts,
        gaps: encoder.gaps,
        unknown: encoder.unknown,
        followed: encoder.followed,
        facts: encoder.facts,
        topics: encoder.topics,
        starts: encoder.starts,
        leaps: encoder.leaps,
        rounds: encoder.rounds,
        visits: encoder.visits,
    };
    encoding.without_vacant_facts()
}

/// What is known of a function before any state is.
pub(crate) struct Info<'p> {
    pub(crate) id: FunctionId,
    pub(crate) body: &'p Body,
    pub(crate) flow: FlowGraph,
    pub(crate) loops: LoopForest,
    /// The positions of expressions and places in an order in which each refers only to earlier ones.
    pub(crate) expr_rank: Vec<u32>,
    pub(crate) place_rank: Vec<u32>,
    /// For each local, whether it is in memory.
    pub(crate) in_memory: Vec<bool>,
}

/// The scalars of a place with their regions.
pub(crate) type Leaves = Rc<Vec<(pointers::Leaf, Option<RegionId>)>>;

/// Whether control can come to a point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feasibility {
    /// It can.
    Valid,
    /// It can by invalid accesses only.
    Invalid,
    /// It cannot.
    None,
}

/// A call that has not returned.
pub(crate) struct Frame<'p> {
    pub(crate) info: Rc<Info<'p>>,
    pub(crate) block: BlockId,
    /// The arguments behind `...`.
    pub(crate) variadic: Rc<Vec<(Value, TypeId)>>,
    pub(crate) number: u32,
    /// Objects to end with the call.
    pub(crate) allocated: Vec<u32>,
    /// Crowds of objects to end with the call.
    pub(crate) crowds: Vec<Crowd>,
    /// The condition under which it was called.
    pub(crate) guard: Term,
}

pub(crate) struct Encoder<'p> {
    pub(crate) program: &'p Program,
    pub(crate) analysis: &'p Analysis<'p>,
    pub(crate) regions: &'p Regions,
    entry: FunctionId,
    pub(crate) options: Options,
    pub(crate) terms: Terms,
    pub(crate) context: Context,
    pub(crate) objects: Objects,
    pub(crate) shapes: Shapes,
    pub(crate) frames: Vec<Frame<'p>>,
    pub(crate) calls: u32,
    /// The calls that led here, outermost first, and where they stand.
    pub(crate) call_sites: Vec<Site>,
    pub(crate) call_spans: Vec<Span>,
    /// What allocated objects are for the analysis of pointers.
    pub(crate) origins: Origins,
    pub(crate) obligations: Vec<Obligation>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) preferences: Vec<Term>,
    /// Where the current access stands, and when something is wrong with it after which runs go on.
    pub(crate) survived: Option<(Span, Term)>,
    /// What the surroundings of the program see to.
    pub(crate) granted: Vec<Term>,
    /// What says what the variables are that stand for lengths of strings.
    pub(crate) definitions: Vec<Term>,
    pub(crate) cuts: Vec<Cut>,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) unknown: BTreeMap<String, (u32, Span)>,
    pub(crate) followed: BTreeSet<(FunctionId, BlockId)>,
    /// Whether anything runs after `main`, so that it matters in which states the program ends.
    pub(crate) has_end: bool,
    /// The states in which `exit` is called.
    pub(crate) exits: Vec<State>,
    /// The functions that `atexit` was given, with the conditions under which it was, in order.
    pub(crate) handlers: Vec<(Term, FunctionId)>,
    /// What commands write, once a function without body is called.
    pub(crate) writes: OnceCell<Writes>,
    /// The pointers that were cast to integers, by the integer.
    pub(crate) casts: FxHashMap<Term, crate::scalar::Pointer>,
    /// The objects by the terms that stand for their addresses.
    pub(crate) addresses: FxHashMap<Term, Term>,
    infos: FxHashMap<FunctionId, Rc<Info<'p>>>,
    place_regions: FxHashMap<(FunctionId, PlaceId), Option<RegionId>>,
    pub(crate) leaves: FxHashMap<(FunctionId, PlaceId), Leaves>,
    pointer_regions: Vec<bool>,
    number_regions: Vec<bool>,
    /// Whether pointers are kept in bytes anywhere.
    pointer_bytes: bool,
    feasible: FxHashMap<Term, bool>,
    /// Who guesses and tests invariants; without, loops are unwound.
    pub(crate) summarizer: Option<&'p mut dyn Summarizer>,
    pub(crate) facts: Vec<Term>,
    pub(crate) topics: Vec<Topic>,
    pub(crate) leaps: Vec<Leap>,
    /// Trials of candidates that are held later.
    pub(crate) deferred: Vec<Deferred>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) visits: Vec<Visit>,
    /// The literals of candidates of the loops around, not tested yet.
    pub(crate) untested: Vec<Term>,
    /// That they hold where their literals are true.
    pub(crate) untested_facts: Vec<(Term, Topic)>,
    /// The literals of candidates that say more than another candidate of the same loop.
    pub(crate) bold: FxHashSet<Term>,
    /// How many loops are being unwound that may turn out to be none for that, and whether that has turned out.
    pub(crate) attempts: u32,
    pub(crate) attempt_failed: bool,
    /// While a loop is glimpsed at: how many loops inside are being followed.
    pub(crate) glimpse: Option<u32>,
    /// How many loops are being summarised.
    pub(crate) nest: u32,
    /// The functions whose calls are being summarised, and where the frames of each begin.
    pub(crate) contracts: Vec<Contract>,
    pub(crate) contract_frames: Vec<usize>,
    /// The functions that are encoded once for all calls, and their calls.
    pub(crate) shared: BTreeMap<FunctionId, Rc<Shared>>,
    pub(crate) shared_calls: Vec<SharedCall>,
    /// What calls of functions write, as far as somebody has asked.
    pub(crate) reaches: FxHashMap<FunctionId, Rc<Reach>>,
    /// Under which condition the candidate of each literal holds, as far as that is decided.
    pub(crate) decided: FxHashMap<Term, Term>,
    /// How many calls inside of calls of the same function were followed because they certainly happen.
    pub(crate) certain_calls: u32,
    /// Where the facts of the outermost loop around begin.
    pub(crate) nest_facts: usize,
    /// How many terms there were when the last outermost loops began, and when what tests know of the past began.
    pub(crate) nest_starts: VecDeque<usize>,
    pub(crate) nest_past: usize,
    /// How many terms there were when each loop began, the inner ones included.
    pub(crate) starts: Vec<usize>,
    /// Pointers of which it was noted where they may lead, with the conditions under which.
    pub(crate) noted: FxHashSet<(Term, Term)>,
    /// How many facts hold of everything, from the start on.
    pub(crate) standing_facts: usize,
    /// How many bytes the pointers to the arguments of `main` have, without the null pointer behind them; nothing if there are others of the kind.
    pub(crate) argument_end: Option<Term>,
    /// The arguments of `main` that have no objects of their own.
    pub(crate) more_arguments: Option<MoreArguments>,
    /// For each origin of objects on the heap, the variable for any of them.
    pub(crate) any_objects: FxHashMap<Object, Term>,
    /// What holds of each object of an origin, and the pointers that may lead to some.
    pub(crate) known_of_each: Vec<KnownOfEach>,
    pub(crate) heap_pointers: Vec<HeapPointer>,
}

impl<'p> Encoder<'p> {
    fn new(program: &'p Program, analysis: &'p Analysis<'p>, regions: &'p Regions, entry: FunctionId, options: Options) -> Self {
        let mut terms = Terms::new();
        let objects = Objects::new(&mut terms);
        let mut encoder = Encoder {
            program,
            analysis,
            regions,
            entry,
            options,
            terms,
            context: Context::new(),
            objects,
            shapes: Shapes::default(),
            frames: Vec::new(),
            calls: 0,
            call_sites: Vec::new(),
            call_spans: Vec::new(),
            origins: Origins::new(analysis, entry),
            obligations: Vec::new(),
            inputs: Vec::new(),
            preferences: Vec::new(),
            survived: None,
            granted: Vec::new(),
            definitions: Vec::new(),
            cuts: Vec::new(),
            gaps: Vec::new(),
            unknown: BTreeMap::new(),
            followed: BTreeSet::new(),
            has_end: program.functions.iter().any(|function| function.attributes.destructor.is_some() || function.name == "atexit"),
            exits: Vec::new(),
            handlers: Vec::new(),
            writes: OnceCell::new(),
            casts: FxHashMap::default(),
            addresses: FxHashMap::default(),
            infos: FxHashMap::default(),
            place_regions: FxHashMap::default(),
            leaves: FxHashMap::default(),
            pointer_regions: vec![false; regions.all().len()],
            number_regions: vec![false; regions.all().len()],
            pointer_bytes: false,
            feasible: FxHashMap::default(),
            summarizer: None,
            facts: Vec::new(),
            topics: Vec::new(),
            leaps: Vec::new(),
            deferred: Vec::new(),
            rounds: Vec::new(),
            visits: Vec::new(),
            untested: Vec::new(),
            bold: FxHashSet::default(),
            untested_facts: Vec::new(),
            attempts: 0,
            glimpse: None,
            reaches: FxHashMap::default(),
            attempt_failed: false,
            nest: 0,
            contracts: Vec::new(),
            contract_frames: Vec::new(),
            shared: BTreeMap::new(),
            shared_calls: Vec::new(),
            decided: FxHashMap::default(),
            certain_calls: 0,
            nest_facts: 0,
            nest_starts: VecDeque::new(),
            nest_past: 0,
            starts: Vec::new(),
            noted: FxHashSet::default(),
            standing_facts: 0,
            argument_end: None,
            more_arguments: None,
            any_objects: FxHashMap::default(),
            known_of_each: Vec::new(),
            heap_pointers: Vec::new(),
        };
        encoder.find_pointer_regions();
        encoder
    }

    /// Which regions hold pointers, and which hold numbers: cells that hold both tell which they hold.
    fn find_pointer_regions(&mut self) {
        let program = self.program;
        for (id, body) in program.functions.enumerate().filter_map(|(id, function)| Some((id, function.body.as_ref()?))) {
            for (place, info) in body.places.enumerate() {
                match &*self.shapes.of(&program.types, info.ty) {
                    _ if program.types.is_scalar(info.ty) => match self.region_of(id, place) {
                        Some(region) => self.note_region(region, info.ty),
                        None => {
                            self.pointer_bytes |= matches!(program.types.get(info.ty), Type::Pointer(_)) && self.is_in_bytes(body, place)
                        }
                    },
                    Shape::Parts(parts) => {
                        let leaves = self.regions.leaves_of(self.analysis, id, place);
                        for part in parts {
                            let region =
                                leaves.iter().find(|(leaf, _)| leaf.offsets.has(part.offset as i64)).and_then(|(_, region)| *region);
                            if let Some(region) = region {
                                self.note_region(region, part.ty);
                            }
                        }
                    }
                    Shape::Bytes => {}
                }
            }
        }
        let relocated =
            program.globals.enumerate().filter(|(_, global)| global.init.as_ref().is_some_and(|init| !init.relocations.is_empty()));
        for (id, _) in relocated {
            for (_, region) in self.regions.cells_of(Object::Global(id)) {
                self.pointer_bytes |= self.regions.kind(*region) == RegionKind::Bytes;
            }
        }
    }
    fn note_region(&mut self, region: RegionId, ty: TypeId) {
        if matches!(self.program.types.get(ty), Type::Pointer(_)) {
            self.pointer_regions[region.index()] = true;
            self.pointer_bytes |= self.regions.kind(region) == RegionKind::Bytes;
        } else {
            self.number_regions[region.index()] = true;
        }
    }
    /// Whether a place is part of a variable that is kept as bytes.
    fn is_in_bytes(&mut self, body: &Body, place: PlaceId) -> bool {
        let mut root = place;
        while let Some(base) = body.places[root].kind.base() {
            root = base;
        }
        *self.shapes.of(&self.program.types, body.places[root].ty) == Shape::Bytes
    }
    /// How values are kept whose parts share bytes.
    pub(crate) fn byte_cells(&self) -> Cells {
        if self.pointer_bytes { Cells::MixedBytes } else { Cells::Bytes }
    }

    /// What is known of a function with a body.
    pub(crate) fn info(&mut self, function: FunctionId) -> Option<Rc<Info<'p>>> {
        if let Some(info) = self.infos.get(&function) {
            return Some(info.clone());
        }
        let body = self.program.functions.get(function)?.body.as_ref()?;
        let flow = FlowGraph::new(body);
        let loops = LoopForest::of(body, &flow);
        let (mut expr_rank, mut place_rank) = (vec![0; body.exprs.len()], vec![0; body.places.len()]);
        for (rank, created) in body.creation_order().enumerate() {
            match created {
                Created::Expr(id) => expr_rank[id.index()] = rank as u32,
                Created::Place(id) => place_rank[id.index()] = rank as u32,
            }
        }
        let in_memory = body.locals.ids().map(|local| self.analysis.address_taken(function, local)).collect();
        let info = Rc::new(Info { id: function, body, flow, loops, expr_rank, place_rank, in_memory });
        self.infos.insert(function, info.clone());
        Some(info)
    }

    /// The region that an access of a scalar place touches.
    pub(crate) fn region_of(&mut self, function: FunctionId, place: PlaceId) -> Option<RegionId> {
        let (analysis, regions) = (self.analysis, self.regions);
        *self.place_regions.entry((function, place)).or_insert_with(|| regions.of(analysis, function, place))
    }

    /// How a region's array holds scalars.
    pub(crate) fn cells(&self, region: RegionId) -> Cells {
        match self.regions.kind(region) {
            RegionKind::Typed { .. } if self.pointer_regions[region.index()] && self.number_regions[region.index()] => Cells::MixedWhole,
            RegionKind::Typed { .. } if self.pointer_regions[region.index()] => Cells::Whole { width: POINTER },
            RegionKind::Typed { bytes } => Cells::Whole { width: bytes as u32 * 8 },
            RegionKind::Bytes => self.byte_cells(),
        }
    }

    /// The function that is being encoded; before the first one, that with which the program starts: what is given up there is given up for all.
    pub(crate) fn current(&self) -> FunctionId {
        self.frames.last().map_or(self.entry, |frame| frame.info.id)
    }
    pub(crate) fn current_block(&self) -> BlockId {
        self.frames.last().map_or(Body::ENTRY, |frame| frame.block)
    }

    /// Where something in a library model is charged: the call that led from the program to the library.
    pub(crate) fn charged(&self, span: Span) -> (FunctionId, BlockId, Span) {
        let mut place = (self.current(), self.current_block(), span);
        for (site, &call) in self.call_sites.iter().zip(&self.call_spans).rev() {
            if !self.program.is_library(place.2) {
                break;
            }
            place = (site.function, site.block, call);
        }
        place
    }

    /// Paths end here, and no verdict may rest on them.
    pub(crate) fn gap(&mut self, state: &mut State, reason: impl Into<String>, span: Span) {
        self.gap_if(state, state.guard, reason, span);
        state.guard = self.terms.bool(false);
    }
    /// The same for the paths on which a condition holds.
    pub(crate) fn gap_if(&mut self, state: &mut State, condition: Term, reason: impl Into<String>, span: Span) {
        let guard = self.terms.and(state.guard, condition);
        if self.terms.as_bool(guard) == Some(false) {
            return;
        }
        let (function, block, span) = self.charged(span);
        let valid = self.terms.and(guard, state.valid);
        self.gaps.push(Gap { guard: valid, function, block, reason: reason.into(), span });
        if valid != guard {
            // What is proved for invalid accesses too does not rest on these runs either.
            self.cuts.push(Cut { guard: valid, anyway: guard, function, block, kind: CutKind::Invalid, span });
        }
        let not = self.terms.not(condition);
        state.guard = self.terms.and(state.guard, not);
    }

    /// From here on, only paths on which this holds go on.
    pub(crate) fn assume(&mut self, state: &mut State, condition: Term) {
        state.guard = self.terms.and(state.guard, condition);
    }

    /// The same for what holds in every run that was well-defined so far, if those choices are left out that the library cannot make, and values that nothing
    /// can have. So no run ends here.
    pub(crate) fn grant(&mut self, state: &mut State, condition: Term) {
        let here = self.terms.and(state.guard, state.valid);
        self.granted.push(self.terms.implies(here, condition));
        self.assume(state, condition);
    }

    /// Paths are not followed further.
    pub(crate) fn cut(&mut self, state: &State, function: FunctionId, block: BlockId, kind: CutKind, span: Span) {
        let guard = self.terms.and(state.guard, state.valid);
        self.cuts.push(Cut { guard, anyway: state.guard, function, block, kind, span });
    }

    /// Why nothing more should be encoded, if that is so.
    pub(crate) fn exhausted(&self) -> Option<CutKind> {
        if self.terms.len() > self.options.terms {
            return Some(CutKind::Size);
        }
        let tired = self.context.statistics().solver.propagations > self.options.effort;
        (tired || self.options.budget.exhausted().is_some()).then_some(CutKind::Budget)
    }

    /// What holds in all runs.
    pub(crate) fn note_fact(&mut self, fact: Term, topic: Topic) {
        self.facts.push(fact);
        self.topics.push(topic);
    }
    /// Since how many terms what happens is not long past, for a loop that began at so many.
    pub(crate) fn recent(&self, made: usize) -> usize {
        recent(&self.starts, made)
    }

    /// Whether to ask if control comes to the next iteration: always while answers are cheap, later now and then. What is asked too late costs some
    /// iterations that no run makes, nothing else.
    pub(crate) fn is_worth_asking(&self, iteration: u32) -> bool {
        iteration.is_power_of_two() || self.context.statistics().solver.propagations < CHEAP
    }

    /// Whether control can come here, as far as a quick question tells.
    pub(crate) fn feasibility(&mut self, state: &State) -> Feasibility {
        let guard = self.terms.and(state.guard, state.valid);
        if self.is_satisfiable(guard) {
            Feasibility::Valid
        } else if self.is_satisfiable(state.guard) {
            Feasibility::Invalid
        } else {
            Feasibility::None
        }
    }
    fn is_satisfiable(&mut self, guard: Term) -> bool {
        if let Some(known) = self.terms.as_bool(guard) {
            return known;
        }
        if let Some(&known) = self.feasible.get(&guard) {
            return known;
        }
        let conflicts = if self.options.effort == u64::MAX { 1000 } else { 200 };
        let budget = self.options.budget.clone().with_conflicts(conflicts);
        let feasible = self.context.solve(&mut self.terms, &[guard], &budget) != Answer::Unsat;
        self.feasible.insert(guard, feasible);
        feasible
    }
}
