//! Rounds of loops, noted for those who ask whether they end.

use std::rc::Rc;

use logic::Term;
use model::{CheckKind, ExprId, ExprKind, Loop, Span};

use crate::effects::Effects;
use crate::encoder::{Encoder, Info};
use crate::evaluate::Moments;
use crate::formula::{Aspect, Formula, Linear, Moment, Quantity, Source};
use crate::leap::Mark;
use crate::state::State;
use crate::summary::{Measured, Round, Walk};

impl<'p> Encoder<'p> {
    /// Notes a round of a loop, or of calls: from the arbitrary state at the head to a state in which control comes there again.
    pub(crate) fn note_round(
        &mut self,
        info: &Rc<Info<'p>>,
        region: &Loop,
        (effects, mark, since, span): (&Effects, &Mark, usize, Span),
        (recursive, instance): (bool, usize),
        [entry, head, again]: [&State; 3],
    ) {
        let sums = self.with_head(info, region, entry, effects, |summarizer, head| summarizer.measures(head));
        self.definitions.clear();
        let measured = self.measured(info, sums, [entry, head, again]);
        let again_valid = self.terms.all([again.valid].into_iter().chain(self.definitions.drain(..)).collect::<Vec<_>>());
        let pairs = self.with_head(info, region, entry, effects, |summarizer, head| summarizer.walks(head));
        let walks = pairs.into_iter().filter_map(|pair| self.walked(info, pair, [head, again])).collect();
        let inside = self.obligations[mark.obligations..].iter();
        let (overflows, others): (Vec<_>, Vec<_>) = inside.partition(|obligation| obligation.check.kind == CheckKind::SignedOverflow);
        let [overflow, other] =
            [overflows, others].map(|list| self.terms.any(list.iter().map(|obligation| obligation.failure).collect::<Vec<_>>()));
        let failure = self.terms.or(overflow, other);
        let peeled = !recursive && self.summarizer.as_ref().is_some_and(|summarizer| summarizer.peels(info.id, region.header));
        self.rounds.push(Round {
            function: info.id,
            header: region.header,
            span,
            recursive,
            instance,
            entered: entry.guard,
            head_valid: head.valid,
            again: again.guard,
            again_valid,
            overflow,
            failure,
            granted: self.terms.all(self.granted[mark.granted..].iter().copied()),
            measured,
            walks,
            inputs: mark.inputs..self.inputs.len(),
            leaps_inside: self.leaps.len() - mark.leaps,
            inside: mark.rounds..self.rounds.len(),
            calls_inside: self.contracts.iter().zip(&mark.inside).map(|(contract, before)| contract.calls() - before).sum(),
            calls_before: mark.inside.last().copied().unwrap_or(0),
            peeled,
            since,
            facts: mark.facts..self.facts.len(),
        });
    }

    /// Facts about the loop of these rounds are complete.
    pub(crate) fn facts_are_complete(&mut self, instance: usize) {
        let end = self.facts.len();
        for round in self.rounds.iter_mut().filter(|round| round.instance == instance) {
            round.facts.end = end;
        }
    }

    fn walked(&mut self, info: &Info<'p>, (pointer, link): (Source, ExprId), [head, again]: [&State; 2]) -> Option<Walk> {
        let iterations = self.terms.zero(64);
        let at_head = Moments { entry: head, now: head, iterations, result: None };
        let round = Moments { entry: head, now: again, iterations, result: None };
        let null = self.formula(info, &at_head, &Formula::Null(pointer))?;
        let moved = Formula::SamePointer((Source::Expr(link), Moment::Entry), (pointer, Moment::Now));
        let moved = self.formula(info, &round, &moved)?;
        let held = self.running(info, head, |encoder| encoder.holds_link(info, head, link))?;
        Some(Walk { pointer, link, null, held, moved })
    }

    fn holds_link(&mut self, info: &Info<'p>, head: &State, link: ExprId) -> Option<Term> {
        let ExprKind::Load(place) = info.body.exprs.get(link)?.kind else { return None };
        self.looking(head, |encoder, state| {
            let location = encoder.locate(state, info, place);
            encoder.holds_pointer(state, &location)
        })?
    }

    fn measured(&mut self, info: &Info<'p>, sums: Vec<(Linear, Vec<i128>)>, [entry, head, again]: [&State; 3]) -> Vec<Measured> {
        let zero = self.terms.zero(64);
        let mut measured = Vec::new();
        let states = [head, again];
        for (sum, constants) in sums {
            let at = |now| Moments { entry, now, iterations: zero, result: None };
            if let Some(head) = self.running(info, head, |encoder| encoder.linear(info, &at(head), &sum))
                && let Some(again) = self.running(info, again, |encoder| encoder.linear(info, &at(again), &sum))
                && !measured.iter().any(|known: &Measured| known.head == head && known.again == again)
            {
                let wraps = sum.parts.iter().all(|(_, quantity)| self.wraps(info, *quantity));
                let lost = self.lost_total(info, &sum, states);
                measured.push(Measured { sum, constants, head, again, lost, wraps });
            }
        }
        measured
    }

    /// By how much a sum of elements decreases from the head to the head.
    fn lost_total(&mut self, info: &Info<'p>, sum: &Linear, [head, again]: [&State; 2]) -> Option<Term> {
        let &[(1, Quantity::Of(source, Aspect::Total, Moment::Now))] = sum.parts.as_slice() else { return None };
        let moments = Moments { entry: head, now: again, iterations: self.terms.zero(64), result: None };
        self.running(info, again, |encoder| encoder.lost(info, &moments, source)).filter(|_| sum.constant == 0)
    }

    /// Whether arithmetic on a quantity wraps. Types narrower than `int` are computed in `int` and cut, which is defined too.
    fn wraps(&self, info: &Info<'p>, quantity: Quantity) -> bool {
        let source = match quantity {
            // A sum of numbers with finitely many values has finitely many, too.
            Quantity::Of(source, Aspect::Value | Aspect::Total, _) => source,
            Quantity::Of(_, Aspect::Size | Aspect::Length, _) => return true,
            Quantity::Of(_, Aspect::Offset, _) | Quantity::Iterations | Quantity::Result => return false,
        };
        let ty = match source {
            Source::Local(local) => info.body.locals.get(local).map(|local| local.ty),
            Source::Global(global) => self.program.globals.get(global).map(|global| global.ty),
            // What is computed from a signed number becomes meaningless with it.
            Source::Expr(expr) => info.body.exprs.get(expr).filter(|expr| matches!(expr.kind, ExprKind::Load(_))).map(|expr| expr.ty),
        };
        ty.is_some_and(|ty| !self.program.types.is_signed(ty) || self.program.types.size_of(ty).is_some_and(|size| size < INT))
    }
}

/// The bytes of an `int`.
const INT: u64 = 4;
