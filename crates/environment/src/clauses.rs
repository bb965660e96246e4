// SPDX-License-Identifier: MIT OR Apache-2.0
//! What obligations, and calls of functions with contracts, ask of the callers (paper 001, section 5.1).

use clew_base::source::Span;
use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::{
    Argument, BlockId, Call, Callee, ExprKind, PlaceBase, Projection, Statement, StatementKind,
};

use crate::contract::{Clause, Necessity, Origin, Test};
use crate::linear::{Linear, limits};
use crate::source::{Kind, Place, Source};
use crate::state::{Base, Exact, State, Value};
use crate::walk::Walk;

/// A loop around a place.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// Its head.
    pub(crate) head: BlockId,
    /// The number of the last turn, from 0, if it is negative there is none; not known: the test at the head does not say.
    pub(crate) last: Option<Linear>,
    /// Whether only the test at the head ends it.
    pub(crate) leaves_at_head_only: bool,
}

impl Counted {
    /// A loop of which only the head is known.
    pub(crate) fn new(head: BlockId) -> Counted {
        Counted { head, last: None, leaves_at_head_only: false }
    }
}

/// What must hold at a place, and when it is come to.
#[derive(Clone, Debug)]
struct Demand {
    /// What leads to the place, as far as it is known.
    guard: Vec<Test>,
    /// Whether that is all that leads there.
    is_exact: bool,
    /// What must hold.
    test: Test,
}

/// A place of a walk whose demands are asked.
pub(crate) struct Asking<'w, 'p> {
    pub(crate) walk: &'w mut Walk<'p>,
    pub(crate) block: BlockId,
    pub(crate) state: &'w State,
}

impl Asking<'_, '_> {
    /// Asks what a statement demands.
    pub(crate) fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Check { first, count } => {
                for number in first.0..first.0 + count {
                    let obligation = &self.walk.scope.body.obligations[clew_ir::syntax::ObligationId(number)];
                    let (check, span) = (obligation.check, obligation.span);
                    for exact in self.demanded(&obligation.condition, check) {
                        self.ask(exact, Vec::new(), true, &[Origin { check, span }]);
                    }
                    if obligation.condition == Condition::Never {
                        self.never(check, span);
                    }
                }
            }
            StatementKind::Call(call) => self.call(call, statement.span),
            _ => {}
        }
    }

    /// The tests that a condition is, each with what it is given.
    fn demanded(&self, condition: &Condition, check: CheckKind) -> Vec<(Test, Exact)> {
        let (scope, state) = (self.walk.scope, self.state);
        let mut tests = Vec::new();
        match condition {
            Condition::NotNull(expr) => match scope.pointer(state, *expr) {
                Some((Base::Source(pointer), offset)) => {
                    tests.push((Test::NotNull(pointer), without_sum(&offset)))
                }
                Some((Base::Null, _)) => tests.push((Test::Zero(Linear::constant(1)), Exact::default())),
                _ => {}
            },
            Condition::InBounds(place) => {
                for step in &place.projections {
                    if let Projection::Index { index, length: Some(length), .. } = step
                        && let Some(index) = scope.number(state, *index)
                    {
                        within(&index, i128::from(*length), 1, &mut tests);
                    }
                }
                let bytes = i128::from(scope.program.types().access_bytes(place));
                if let Some((base, offset)) = scope.address(state, place) {
                    self.in_bounds(&base, &offset, &Exact::constant(bytes), false, &mut tests);
                }
                // A member far behind a pointer is in bounds only if its record is.
                if let PlaceBase::Deref(_) = place.base
                    && tests.len() > 4
                {
                    tests.truncate(4);
                }
            }
            Condition::ReadableRange(pointer, bytes) | Condition::WritableRange(pointer, bytes) => {
                let writes = matches!(condition, Condition::WritableRange(..));
                if let (Some((base, offset)), Some(bytes)) =
                    (scope.pointer(state, *pointer), scope.number(state, *bytes))
                {
                    self.in_bounds(&base, &offset, &bytes, writes, &mut tests);
                }
            }
            Condition::NulWithin(expr) => {
                if let Some((Base::Source(pointer), offset)) = scope.pointer(state, *expr)
                    && offset == Exact::default()
                    && state.is_untouched(&Base::Source(pointer.clone()))
                    && !state.cells.keys().any(|(base, _, _)| *base == Base::Source(pointer.clone()))
                {
                    tests.push((Test::Terminated(pointer), Exact::default()));
                }
            }
            Condition::Holds(expr) => {
                if let Some(decided) = scope.decide(state, *expr, true)
                    && let Some((test, given)) = decided.tests.split_last()
                {
                    let given = given.iter().cloned().collect();
                    let exact = Exact { sum: Linear::default(), given, is_bounded: decided.is_bounded };
                    tests.push((test.clone(), exact));
                }
            }
            Condition::NotRaised(Raise::DivisionByZero, expr) => {
                if let ExprKind::Binary(_, _, right) = scope.body.exprs[*expr].kind
                    && let Some(divisor) = scope.number(state, right)
                {
                    tests.push((Test::NotZero(divisor.sum.clone()), without_sum(&divisor)));
                }
            }
            Condition::NotRaised(Raise::SignedOverflow, expr) if check == CheckKind::SignedOverflow => {
                let ty = scope.program.types().int_type(scope.body.exprs[*expr].ty);
                if let (Some(ty), Some(value)) = (ty, scope.number(state, *expr)) {
                    let (least, most) = limits(ty);
                    let above = value.sum.plus(-1, &Linear::constant(most));
                    let below = Linear::constant(least).plus(-1, &value.sum);
                    tests.extend(above.map(|sum| (Test::AtMostZero(sum), without_sum(&value))));
                    tests.extend(below.map(|sum| (Test::AtMostZero(sum), without_sum(&value))));
                }
            }
            Condition::NotRaised(Raise::ShiftRange, expr) => {
                if let ExprKind::Binary(_, left, right) = scope.body.exprs[*expr].kind
                    && let Some(count) = scope.number(state, right)
                    && let Some(ty) = scope.program.types().int_type(scope.body.exprs[left].ty)
                {
                    within(&count, i128::from(ty.bits), 1, &mut tests);
                }
            }
            _ => {}
        }
        tests
    }

    /// So many bytes from an offset of an object on.
    fn in_bounds(
        &self,
        base: &Base,
        offset: &Exact,
        bytes: &Exact,
        writes: bool,
        tests: &mut Vec<(Test, Exact)>,
    ) {
        let program = self.walk.scope.program;
        let Some(end) = offset.plus(1, bytes) else { return };
        let size = match base {
            Base::Source(pointer) => {
                let not_negative = Test::AtMostZero(scaled(offset.sum.times(-1)));
                tests.push((not_negative, without_sum(offset)));
                let room = Test::Room { pointer: pointer.clone(), bytes: end.sum.clone(), writes };
                tests.push((room, without_sum(&end)));
                return;
            }
            Base::Local(local) => {
                let local = &self.walk.scope.body.locals[*local];
                if !program.types().is_complete(local.ty) {
                    return;
                }
                program.size_of(local.ty)
            }
            Base::Global(global) if program.globals[*global].init.is_some() => program.globals[*global].size,
            _ => return,
        };
        if let Some(rest) = end.sum.plus(-1, &Linear::constant(i128::from(size))) {
            tests.push((Test::AtMostZero(scaled(Some(rest))), without_sum(&end)));
        }
        tests.push((Test::AtMostZero(scaled(offset.sum.times(-1))), without_sum(offset)));
    }

    /// What the function that is called asks, in terms of this one's callers.
    fn call(&mut self, call: &Call, span: Span) {
        let Callee::Direct(callee) = call.callee else { return };
        let contracts = self.walk.known.contracts;
        for clause in &contracts[callee.0 as usize].clauses {
            let mut guard = Vec::new();
            let mut is_exact = true;
            let mut is_excused = false;
            for excuse in &clause.unless {
                match self.substituted(excuse, call) {
                    Some((test, exact)) if test.truth() == Some(true) && exact == Exact::default() => {
                        is_excused = true
                    }
                    Some((test, exact)) => {
                        is_exact &= !exact.is_bounded;
                        guard.extend(exact.given);
                        match test.negated() {
                            Some(test) => guard.push(test),
                            None => is_exact = false,
                        }
                    }
                    None => is_exact = false,
                }
            }
            is_exact &= clause.necessity == Necessity::Necessary;
            if !is_excused && let Some((test, exact)) = self.substituted(&clause.test, call) {
                let here = |origin: &Origin| Origin { span, ..origin.clone() };
                let origins: Vec<Origin> = match (self.walk.known.is_model)(callee) {
                    true => clause.origins.iter().map(here).collect(),
                    false => clause.origins.clone(),
                };
                self.ask((test, exact), guard, is_exact, &origins);
            }
        }
    }

    /// A test of the callee as one of this function; none if it cannot be told, or surely holds.
    fn substituted(&self, test: &Test, call: &Call) -> Option<(Test, Exact)> {
        let sum = |sum: &Linear| -> Option<Exact> {
            let mut all = Exact::constant(sum.constant);
            for (source, coefficient) in &sum.terms {
                let Value::Number(value) = self.found(source, call) else { return None };
                all = all.plus(*coefficient, &value)?;
            }
            Some(all)
        };
        Some(match test {
            Test::AtMostZero(of) => {
                sum(of).map(|exact| (Test::AtMostZero(exact.sum.clone()), without_sum(&exact)))?
            }
            Test::Zero(of) => sum(of).map(|exact| (Test::Zero(exact.sum.clone()), without_sum(&exact)))?,
            Test::NotZero(of) => {
                sum(of).map(|exact| (Test::NotZero(exact.sum.clone()), without_sum(&exact)))?
            }
            Test::Null(pointer) | Test::NotNull(pointer) => {
                let wants_null = matches!(test, Test::Null(_));
                let always =
                    |truth: bool| Some((Test::Zero(Linear::constant(i128::from(!truth))), Exact::default()));
                match self.found(pointer, call) {
                    Value::Pointer(Base::Source(source), offset) if !wants_null => {
                        (Test::NotNull(source), without_sum(&offset))
                    }
                    Value::Pointer(Base::Source(source), offset) if offset == Exact::default() => {
                        (Test::Null(source), offset)
                    }
                    Value::Pointer(Base::Null, _) => return always(wants_null),
                    Value::Pointer(Base::Local(_) | Base::Global(_), _) => return always(!wants_null),
                    _ => return None,
                }
            }
            Test::Room { pointer, bytes, writes } => {
                let Value::Pointer(base, offset) = self.found(pointer, call) else { return None };
                let end = offset.plus(1, &sum(bytes)?)?;
                let mut tests = Vec::new();
                match base {
                    Base::Source(source) => {
                        let room = Test::Room { pointer: source, bytes: end.sum.clone(), writes: *writes };
                        (room, without_sum(&end))
                    }
                    base => {
                        self.in_bounds(&base, &offset, &sum(bytes)?, *writes, &mut tests);
                        return tests.into_iter().next();
                    }
                }
            }
            Test::Terminated(pointer) => match self.found(pointer, call) {
                Value::Pointer(Base::Source(source), offset)
                    if offset == Exact::default()
                        && self.state.is_untouched(&Base::Source(source.clone()))
                        && !self
                            .state
                            .cells
                            .keys()
                            .any(|(base, _, _)| *base == Base::Source(source.clone())) =>
                {
                    (Test::Terminated(source), offset)
                }
                _ => return None,
            },
        })
    }

    /// What a source of the callee is here.
    fn found(&self, source: &Source, call: &Call) -> Value {
        let scope = self.walk.scope;
        let ty = |kind: Kind| -> Option<clew_ir::syntax::TypeId> {
            let types = scope.program.types.iter_enumerated();
            let mut fitting = types.filter(|(id, _)| {
                Source::new(scope.program, Place::Parameter(0), *id).is_some_and(|made| made.kind == kind)
            });
            fitting.next().map(|(id, _)| id)
        };
        match &source.place {
            Place::Parameter(number) => match call.arguments.get(*number as usize) {
                Some(Argument::Value(expr)) => scope.eval(self.state, *expr),
                _ => Value::Unknown,
            },
            Place::Global(global, at) => match ty(source.kind) {
                Some(ty) => scope.read(self.state, &Base::Global(*global), *at, ty),
                None => Value::Unknown,
            },
            Place::Behind(pointer, at) => match (self.found(pointer, call), ty(source.kind)) {
                (Value::Pointer(base, offset), Some(ty)) if offset.given.is_empty() && !offset.is_bounded => {
                    let from = offset.sum.as_constant().and_then(|from| i64::try_from(from).ok());
                    from.map_or(Value::Unknown, |from| scope.read(self.state, &base, from + at, ty))
                }
                _ => Value::Unknown,
            },
            Place::Turns(_) | Place::Register(..) => Value::Unknown,
        }
    }

    /// What leads to the block, as far as it is known, and whether that is all.
    fn guard(&self, block: BlockId, depth: u32) -> (Vec<Test>, bool) {
        match self.walk.control.deciding(block) {
            [] => (Vec::new(), true),
            [(branch, next)] if depth > 0 => {
                let (mut tests, mut is_exact) = self.guard(*branch, depth - 1);
                match self.walk.decided.get(&(*branch, *next)) {
                    Some(Some(decided)) => {
                        is_exact &= !decided.is_bounded;
                        tests.extend(decided.tests.iter().cloned());
                    }
                    _ => is_exact = false,
                }
                (tests, is_exact)
            }
            _ => (Vec::new(), false),
        }
    }

    /// A place that must not be come to.
    fn never(&mut self, check: CheckKind, span: Span) {
        let (guard, is_exact) = self.guard(self.block, 32);
        if is_exact {
            let test = Test::Zero(Linear::constant(1));
            self.demand(Demand { guard, is_exact, test }, &[Origin { check, span }]);
        }
    }

    /// A test must hold here.
    fn ask(&mut self, (test, exact): (Test, Exact), more: Vec<Test>, is_exact: bool, origins: &[Origin]) {
        let (mut guard, all) = self.guard(self.block, 32);
        guard.extend(more);
        guard.extend(exact.given);
        let is_exact = is_exact && all && !exact.is_bounded && !self.state.is_uncertain;
        self.demand(Demand { guard, is_exact, test }, origins);
    }

    /// In the first turn of each loop around, and in the last.
    fn demand(&mut self, demand: Demand, origins: &[Origin]) {
        let mut demands = vec![demand];
        for counted in self.walk.around.clone().iter().rev() {
            let turns = Source::turns(counted.head);
            demands = demands.into_iter().flat_map(|demand| without_turns(demand, counted, &turns)).collect();
        }
        for demand in demands {
            self.settle(demand, origins);
        }
    }

    fn settle(&mut self, demand: Demand, origins: &[Origin]) {
        let Demand { mut guard, mut is_exact, mut test } = demand;
        guard.retain(|test| test.truth() != Some(true));
        guard.sort();
        guard.dedup();
        let is_idle = guard.iter().any(|known| known.truth() == Some(false) || known.implies(&test));
        let contradicts = guard.iter().any(|a| a.negated().is_some_and(|not| guard.contains(&not)));
        if is_idle || contradicts || test.truth() == Some(true) {
            return;
        }
        // A pointer that something is behind is not null: the tests before it said so.
        if test.truth() == Some(false) || test.negated().is_some_and(|not| guard.contains(&not)) {
            let Some(last) = guard.pop() else {
                if is_exact {
                    self.walk.walked.always.extend(origins.iter().cloned());
                }
                return;
            };
            let Some(negated) = last.negated() else { return };
            test = negated;
        }
        let mut unless = Vec::new();
        for known in &guard {
            match known.negated() {
                Some(excuse) if excuse.sources().iter().all(|s| s.is_nameable(self.walk.scope.program)) => {
                    unless.push(excuse);
                }
                _ => is_exact = false,
            }
        }
        let program = self.walk.scope.program;
        if !test.sources().iter().all(|source| source.is_nameable(program)) || test.sources().is_empty() {
            return;
        }
        let necessity = if is_exact { Necessity::Necessary } else { Necessity::Sufficient };
        self.walk.walked.contract.add(Clause { unless, test, necessity, origins: origins.to_vec() });
    }
}

/// What a demand in a loop is in its first turn, and in its last.
fn without_turns(demand: Demand, counted: &Counted, turns: &Source) -> Vec<Demand> {
    let zero = Linear::constant(0);
    let speaks = |test: &Test| test.sources().contains(&turns);
    let first = |test: &Test| replaced(test, turns, &zero);
    let Some(entered) = demand.guard.iter().map(first).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let mut demands = Vec::new();
    if let Some(test) = first(&demand.test) {
        demands.push(Demand { guard: entered, is_exact: demand.is_exact, test });
    }
    let grows = match &demand.test {
        Test::AtMostZero(sum) => sum.terms.get(turns).is_some_and(|c| *c > 0),
        Test::Room { bytes, .. } => bytes.terms.get(turns).is_some_and(|c| *c > 0),
        _ => false,
    };
    let Some(last) = counted.last.as_ref().filter(|_| grows) else { return demands };
    // The test at the head, which says how many turns there are, and others that change from turn to turn.
    let is_head = |test: &Test| match test {
        Test::AtMostZero(sum) => {
            let at_last = sum.replace(turns, last).and_then(|sum| sum.as_constant());
            sum.terms.get(turns) == Some(&1) && at_last == Some(0)
        }
        _ => false,
    };
    let others = demand.guard.iter().filter(|test| speaks(test) && !is_head(test)).count();
    let guard = demand.guard.iter().filter(|test| !speaks(test) || is_head(test));
    let guard = guard.map(first).collect::<Option<Vec<_>>>();
    let is_exact = demand.is_exact && others == 0 && counted.leaves_at_head_only;
    if let (Some(guard), Some(test)) = (guard, replaced(&demand.test, turns, last)) {
        demands.push(Demand { guard, is_exact, test });
    }
    demands
}

fn replaced(test: &Test, source: &Source, by: &Linear) -> Option<Test> {
    Some(match test {
        Test::AtMostZero(sum) => Test::AtMostZero(sum.replace(source, by)?),
        Test::Zero(sum) => Test::Zero(sum.replace(source, by)?),
        Test::NotZero(sum) => Test::NotZero(sum.replace(source, by)?),
        Test::Room { pointer, bytes, writes } => {
            Test::Room { pointer: pointer.clone(), bytes: bytes.replace(source, by)?, writes: *writes }
        }
        Test::Null(_) | Test::NotNull(_) | Test::Terminated(_) => test.clone(),
    })
}

/// What a value is given, without the value.
fn without_sum(exact: &Exact) -> Exact {
    Exact { sum: Linear::default(), ..exact.clone() }
}

/// `0 <= index < length`.
fn within(index: &Exact, length: i128, factor: i128, tests: &mut Vec<(Test, Exact)>) {
    let below = index.sum.plus(-1, &Linear::constant((length - 1) * factor));
    tests.extend(below.map(|sum| (Test::AtMostZero(sum), without_sum(index))));
    tests.extend(index.sum.times(-1).map(|sum| (Test::AtMostZero(sum), without_sum(index))));
}

/// The same comparison with zero in the smallest numbers.
fn scaled(sum: Option<Linear>) -> Linear {
    let sum = sum.unwrap_or_default();
    let common = sum.terms.values().fold(0i128, |all, c| gcd(all, c.abs()));
    if common <= 1 {
        return sum;
    }
    let terms = sum.terms.iter().map(|(source, c)| (source.clone(), c / common)).collect();
    // common * x + c <= 0  <=>  x <= floor(-c / common)
    Linear { terms, constant: -((-sum.constant).div_euclid(common)) }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
