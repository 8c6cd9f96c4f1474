//! Sums of variables that no iteration makes larger, though ways through the loop differ: `j` is moved at most as often as `i`.

use model::BlockId;
use rustc_hash::FxHashMap;

use super::{Drift, Kind, Update, View};

/// After so many rounds, what still grows is taken for unbounded: an inner loop moves it.
const ROUNDS: usize = 6;
/// So many variables and counters are compared.
const VARIABLES: usize = 6;
const COUNTERS: usize = 2;

/// What the blocks of a loop add to variables.
pub type Moves = FxHashMap<BlockId, Vec<(usize, i128)>>;

/// Finds drifts from what blocks do to variables; all that is done to these is to move them.
pub fn find(view: &View<'_>, moved: &[usize], moves: &[(BlockId, usize, Update)]) -> Vec<Drift> {
    let mut blocks = Moves::default();
    for (block, position, update) in moves {
        if let Update::Step(by) = update {
            blocks.entry(*block).or_default().push((*position, *by));
        }
    }
    let is_number = |position: &&usize| view.variables[**position].kind != Kind::Bool;
    let uneven: Vec<usize> = moved.iter().filter(is_number).filter(|position| view.variables[**position].step.is_none()).copied().collect();
    let is_counter = |position: &&usize| view.variables[**position].step.is_some_and(|step| step != 0);
    let counters: Vec<usize> = moved.iter().filter(is_counter).copied().take(COUNTERS).collect();
    let mut drifts = Vec::new();
    for (place, &first) in uneven.iter().take(VARIABLES).enumerate() {
        for &counter in &counters {
            let spread = Spread::of(view, &blocks, &[(1, first)]);
            drifts.extend(spread.against(first, counter, view.variables[counter].step.unwrap_or(0)));
        }
        for &second in uneven.iter().take(VARIABLES).skip(place + 1) {
            let spread = Spread::of(view, &blocks, &[(1, first), (-1, second)]);
            if spread.high.is_some_and(|high| high <= 0) {
                drifts.push(Drift { parts: vec![(1, first), (-1, second)] });
            }
            if spread.low.is_some_and(|low| low >= 0) {
                drifts.push(Drift { parts: vec![(-1, first), (1, second)] });
            }
        }
    }
    drifts
}

/// The least and the greatest change of a sum in an iteration; none if there is no bound.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Spread {
    low: Option<i128>,
    high: Option<i128>,
}

impl Spread {
    fn of(view: &View<'_>, moves: &Moves, parts: &[(i128, usize)]) -> Self {
        let (region, body) = (view.head.region, view.head.body);
        let change = |block: &BlockId| {
            let factor = |position: usize| parts.iter().find(|(_, part)| *part == position).map_or(0, |(factor, _)| *factor);
            moves.get(block).into_iter().flatten().map(|(position, by)| factor(*position).saturating_mul(*by)).fold(0, i128::saturating_add)
        };
        let mut spreads: FxHashMap<BlockId, Spread> = FxHashMap::default();
        spreads.insert(region.header, Spread { low: Some(0), high: Some(0) });
        let mut end: Option<Spread> = None;
        for round in 0..=2 * ROUNDS {
            let mut stable = true;
            for block in &region.blocks {
                let Some(spread) = spreads.get(block).map(|spread| spread.moved(change(block))) else { continue };
                for next in body.blocks[*block].terminator.successors(&body.address_taken).filter(|next| region.contains(*next)) {
                    if next == region.header {
                        end = Some(spread.joined(end));
                        continue;
                    }
                    let known = spreads.get(&next).copied();
                    let joined = spread.joined(known);
                    let joined = if round < ROUNDS { joined } else { joined.widened(known) };
                    if known != Some(joined) {
                        spreads.insert(next, joined);
                        stable = false;
                    }
                }
            }
            if stable {
                return end.unwrap_or(Spread { low: None, high: None });
            }
        }
        Spread { low: None, high: None }
    }
    fn moved(self, by: i128) -> Self {
        let add = |bound: Option<i128>| bound.and_then(|bound| bound.checked_add(by));
        Spread { low: add(self.low), high: add(self.high) }
    }
    fn joined(self, other: Option<Self>) -> Self {
        let Some(other) = other else { return self };
        let both = |a: Option<i128>, b: Option<i128>, choose: fn(i128, i128) -> i128| Some(choose(a?, b?));
        Spread { low: both(self.low, other.low, i128::min), high: both(self.high, other.high, i128::max) }
    }
    fn widened(self, known: Option<Self>) -> Self {
        let Some(known) = known else { return self };
        Spread { low: self.low.filter(|_| self.low == known.low), high: self.high.filter(|_| self.high == known.high) }
    }
    /// What that means where a counter is moved by the same number each time. That it only rises, or falls, is said elsewhere.
    fn against(self, variable: usize, counter: usize, step: i128) -> Vec<Drift> {
        let drift = |bound: i128, sign: i128| {
            let factor = |number: i128| i64::try_from(number).ok();
            let sign = sign * step.signum();
            Some(Drift { parts: vec![(factor(sign * step)?, variable), (factor(bound.checked_mul(-sign)?)?, counter)] })
        };
        let high = self.high.filter(|high| *high != 0).and_then(|high| drift(high, 1));
        let low = self.low.filter(|low| *low != 0).and_then(|low| drift(low, -1));
        high.into_iter().chain(low).collect()
    }
}
