// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slices: executions for a group of open obligations that step over what has nothing to do with them (Weiser, "Program
//! slicing", 1981).
//!
//! An execution proves nothing if it may cut a single run, wherever that is: an obligation before a loop without
//! bounds, or behind one that only counts, stays open with the loop. Obligations that depend on the same segments of
//! the program make a group; the other segments are left out of its execution in two ways. Where no obligation of the
//! group lies ahead, the execution ends (`over`). A loop, branch or call that is not relevant (`relevance`) is stepped
//! over: the execution goes on where runs leave it (`region`), with everything that it may write (`effects`)
//! *forgotten*, numbers any numbers and pointers lost.
//!
//! So a sliced execution follows every run, and more: those that would stay in a segment, or end there. What it proves
//! of the group holds; of everything else it says nothing, and nobody hears of what it finds violated. Relevance only
//! decides what is worth it: where it errs, what was forgotten is looked at, and a proof is lost.
//!
//! Not stepped over: see `effects`. Not sliced: programs that have functions run at their end, at signals or twice; and
//! obligations about what was written, or is lost at the end, since what is forgotten counts as written, and ends are
//! left out.

mod effects;
mod reaching;
mod region;
mod relevance;
mod survey;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_ir::analysis::order::loops;
use clew_ir::location::ObligationRef;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{BlockId, FuncId, ObligationId, Program};
use rustc_hash::FxHashMap;

use crate::effort::{
    MOST_SLICE_DEPTH, MOST_SLICE_INDUCTION, MOST_SLICE_TERMS, MOST_SLICED_OBLIGATIONS, MOST_SLICES,
    SLICE_SHARE,
};
use crate::exec::context::Exec;
use crate::exec::context::plan::Plan;
use crate::exec::context::slice::{Slice, Step};
use crate::exec::query::prove;
use crate::exec::query::second_opinion::Means;
use crate::exec::record::event::Reason;
use crate::exec::request::{Answer, Options};
use effects::KnownEffect;
use reaching::over;
use relevance::{Reach, Relevance};
use survey::{Segment, Survey, What};

type Obligations = BTreeSet<(FuncId, ObligationId)>;

/// Something that a slice leaves out and that is worth it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Spared {
    /// A segment with loops.
    Segment(usize),
    /// A loop from which on nothing is left.
    Loop(FuncId, BlockId),
}

/// Obligations with what their execution spares.
struct Group {
    about: Obligations,
    spared: BTreeSet<Spared>,
    /// The segments that matter to none of them.
    segments: BTreeSet<usize>,
}

/// Proves what slices prove of what is open.
pub(crate) fn settle(
    (program, entry, options): (&Program, FuncId, &Options<'_>),
    means: &mut Means<'_>,
    answer: &mut Answer,
) -> Obligations {
    let mut settled = Obligations::new();
    let open: Obligations = options.open.iter().copied().take(MOST_SLICED_OBLIGATIONS + 1).collect();
    let Some(survey) =
        Survey::of(program, options.models, entry).filter(|_| open.len() <= MOST_SLICED_OBLIGATIONS)
    else {
        return settled;
    };
    let segments = survey.segments();
    let mut grouping = Grouping::new(&survey, &segments);
    means.work /= SLICE_SHARE;
    for reach in [Reach::All, Reach::Near] {
        let open = open.difference(&settled).copied().collect();
        for group in grouping.groups(&open, reach) {
            let slice = Rc::new(Slice::new(&survey, &segments, &group));
            let options = Options {
                open: &group.about,
                most_steps: options.most_steps / SLICE_SHARE,
                most_terms: options.most_terms / SLICE_SHARE as usize,
                ..options.clone()
            };
            let (held, terms) = execute((program, entry, &options), &slice, means, answer);
            let is_in_vain = held.is_empty() && terms > MOST_SLICE_TERMS;
            settled.extend(held);
            if means.work == 0 || is_in_vain {
                return settled;
            }
        }
    }
    settled
}

/// How obligations are put into groups.
struct Grouping<'s, 'p> {
    survey: &'s Survey<'p>,
    segments: &'s [Segment],
    relevance: Relevance<'s, 'p>,
    loops: Vec<(FuncId, BlockId)>,
    /// What slices left out that did not suffice.
    tried: BTreeMap<(FuncId, ObligationId), BTreeSet<Spared>>,
}

impl<'s, 'p> Grouping<'s, 'p> {
    fn new(survey: &'s Survey<'p>, segments: &'s [Segment]) -> Grouping<'s, 'p> {
        let bodies =
            survey.functions.iter().filter_map(|function| Some((*function, survey.body(*function)?)));
        let heads =
            bodies.flat_map(|(function, body)| loops(body).into_keys().map(move |head| (function, head)));
        let (relevance, loops, tried) = (Relevance::of(survey), heads.collect(), BTreeMap::new());
        Grouping { survey, segments, relevance, loops, tried }
    }

    /// The groups that are worth an execution.
    fn groups(&mut self, open: &Obligations, reach: Reach) -> Vec<Group> {
        let mut groups: BTreeMap<BTreeSet<Spared>, Group> = BTreeMap::new();
        for id in open.iter().filter(|id| may_be_sliced(self.survey, **id)) {
            let Some(Group { about, spared, segments }) = self.alone(*id, reach) else { continue };
            if spared.is_empty() || self.tried.insert(*id, spared.clone()).as_ref() == Some(&spared) {
                continue;
            }
            match groups.get_mut(&spared) {
                Some(group) => {
                    group.about.extend(about);
                    group.segments.retain(|segment| segments.contains(segment));
                }
                None => drop(groups.insert(spared.clone(), Group { about, spared, segments })),
            }
        }
        fewer(groups.into_values().collect())
    }

    /// An obligation as a group of its own.
    fn alone(&self, id: (FuncId, ObligationId), reach: Reach) -> Option<Group> {
        let relevant = self.relevance.seen_from(id, reach)?;
        let about = Obligations::from([id]);
        let is_left = |segment: &Segment| {
            !segment.has(self.survey, id) && !self.relevance.matters(&segment.effects, &relevant)
        };
        let segments = (0..self.segments.len()).filter(|index| is_left(&self.segments[*index]));
        let segments: BTreeSet<usize> = segments.collect();
        let over = over(self.survey, &about);
        let ended = self.loops.iter().filter(|at| over.get(at) == Some(&0));
        let spared: BTreeSet<Spared> = { segments.iter().filter(|index| self.segments[**index].has_loops) }
            .map(|index| Spared::Segment(*index))
            .chain(ended.map(|(function, head)| Spared::Loop(*function, *head)))
            .collect();
        Some(Group { about, spared, segments })
    }
}

/// Groups that spare much the same become one, until there are few enough.
fn fewer(mut groups: Vec<Group>) -> Vec<Group> {
    while groups.len() > MOST_SLICES {
        let shared = |a: &Group, b: &Group| a.spared.intersection(&b.spared).count();
        let pairs = (0..groups.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
        let Some((one, other)) = pairs.max_by_key(|(a, b)| shared(&groups[*a], &groups[*b])) else { break };
        let taken = groups.swap_remove(other);
        let group = &mut groups[one];
        group.spared.retain(|spared| taken.spared.contains(spared));
        group.segments.retain(|segment| taken.segments.contains(segment));
        group.about.extend(taken.about);
    }
    groups.retain(|group| !group.spared.is_empty());
    groups
}

/// Whether an obligation is one that a slice can say something of.
fn may_be_sliced(survey: &Survey<'_>, (function, id): (FuncId, ObligationId)) -> bool {
    let is_asked = |condition: &Condition| {
        !matches!(
            condition,
            Condition::InitialisedLocal(_)
                | Condition::Initialised(..)
                | Condition::WrittenRange(..)
                | Condition::WrittenText(_)
                | Condition::Unnamed(..)
                | Condition::NotLeaked
                | Condition::Commutes
        )
    };
    let body = survey.body(function).filter(|_| survey.functions.contains(&function));
    body.is_some_and(|body| is_asked(&body.obligations[id].condition))
        && KnownEffect::of(survey, function).is_none()
}

impl Slice {
    fn new(survey: &Survey<'_>, segments: &[Segment], group: &Group) -> Slice {
        let mut slice = Slice {
            regions: FxHashMap::default(),
            calls: FxHashMap::default(),
            over: over(survey, &group.about).into_iter().collect(),
            private: survey.private().collect(),
        };
        // No segment may have an obligation of the group in it, whatever became of the groups.
        let is_free = |segment: &&Segment| !group.about.iter().any(|id| segment.has(survey, *id));
        for segment in group.segments.iter().map(|index| &segments[*index]).filter(is_free) {
            let writes = segment.effects.writes.iter().copied().collect();
            match &segment.what {
                What::Region(region) => {
                    let step = Step { has_head: region.has_head(), join: Some(region.join), writes };
                    // The larger ones of a head come first.
                    slice.regions.entry((segment.function, region.head)).or_insert_with(|| Rc::new(step));
                }
                What::Call(place) => {
                    let step = Step { has_head: false, join: None, writes };
                    slice.calls.insert(*place, Rc::new(step));
                }
            }
        }
        slice
    }
}

/// Executes a slice to growing depth, then by induction. What of its group holds, and how large the last execution was.
fn execute(
    (program, entry, options): (&Program, FuncId, &Options<'_>),
    slice: &Rc<Slice>,
    means: &mut Means<'_>,
    answer: &mut Answer,
) -> (Obligations, usize) {
    let known: BTreeSet<ObligationRef> = BTreeSet::new();
    let mut size = 0;
    let mut one = |depth: u32, induction: Option<u32>| {
        let plan = Plan { depth, induction, slice: Some(slice.clone()), ..Plan::default() };
        let mut exec = Exec::new(program, options, plan);
        exec.execute(entry);
        answer.steps += exec.budget.steps;
        answer.stepped_over += exec.eval.record.stepped_over;
        let verdicts = prove(&mut exec, &known, means);
        size = exec.eval.encoder.terms.len();
        (verdicts, size)
    };
    let mut held = Obligations::new();
    let mut depth = 1;
    let is_deep = loop {
        let (verdicts, terms) = one(depth, None);
        // What only another solver vouches for is left to the execution of the whole.
        held.extend(verdicts.held.difference(&verdicts.borrowed));
        let is_deep = verdicts.cuts.contains(&Reason::Depth) && verdicts.unanswered == 0;
        if !is_deep || terms > MOST_SLICE_TERMS || depth >= MOST_SLICE_DEPTH.min(options.most_depth) {
            break is_deep && terms <= MOST_SLICE_TERMS;
        }
        depth *= MOST_SLICE_DEPTH;
    };
    if is_deep && options.heads.is_some() {
        for k in 1..=MOST_SLICE_INDUCTION {
            let (verdicts, _) = one(1, Some(k));
            held.extend(verdicts.held.difference(&verdicts.borrowed));
            if !verdicts.cuts.is_empty() || verdicts.unanswered > 0 || held.len() == options.open.len() {
                break;
            }
        }
    }
    (held, size)
}
