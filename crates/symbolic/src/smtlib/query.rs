// SPDX-License-Identifier: MIT OR Apache-2.0
//! A query for a solver outside, and what its reply says of our terms.
//!
//! The values of an array are asked for where it is read: nothing else of it matters to any term.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::reply::{SExpr, is_complaint, s_expression, values};
use super::{Inexpressible, script};
use crate::term::evaluate::{ArrayValue, Model, Value, evaluate};
use crate::term::{Sort, Term, TermId, Terms, VarId, mask};

/// A query: whether all of some one-bit terms can hold, and for which values.
#[derive(Debug)]
pub struct Query<'t> {
    terms: &'t Terms,
    assumptions: &'t [TermId],
    text: String,
    is_exact: bool,
    /// The bit-vector variables, in the order in which their values are asked for.
    variables: Vec<(VarId, TermId)>,
    /// After them: array variables with the indices at which they are read; of each the index and the element.
    reads: Vec<(VarId, TermId, TermId)>,
}

/// What a solver says.
#[derive(Debug)]
pub enum Reply {
    /// They can, for these values: the terms' own meaning confirms it.
    Sat(Model),
    /// It says that they can, and shows no values for which they do.
    Unshown,
    /// They cannot.
    Unsat,
    /// It does not know.
    Unknown,
    /// It does not answer: its first line.
    Nonsense(String),
}

impl<'t> Query<'t> {
    /// Puts the query into words.
    pub fn new(terms: &'t Terms, assumptions: &'t [TermId]) -> Result<Query<'t>, Inexpressible> {
        let mut text = script(terms, assumptions)?;
        let reachable = terms.reachable(assumptions);
        let (variables, reads) = (variables(terms, &reachable), reads(terms, &reachable));
        if !variables.is_empty() || !reads.is_empty() {
            text.push_str("(get-value (");
            for (_, term) in &variables {
                let _ = write!(text, "{term} ");
            }
            for (_, array, index) in &reads {
                let _ = write!(text, "{index} (select {array} {index}) ");
            }
            text.push_str("))\n");
        }
        let is_exact = !reachable.iter().any(|term| may_be_nan(terms.get(*term)));
        Ok(Query { terms, assumptions, text, is_exact, variables, reads })
    }

    /// The script.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the script says all that the terms say: then a solver that says `sat` is right or wrong.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// What a solver's output says.
    pub fn read(&self, output: &str) -> Reply {
        let nonsense = || Reply::Nonsense(output.trim_start().lines().next().unwrap_or_default().to_owned());
        match s_expression(output) {
            Some((SExpr::Unsat, rest)) if is_complaint(rest) => Reply::Unsat,
            Some((SExpr::Unknown, _)) => Reply::Unknown,
            Some((SExpr::Sat, rest)) => match self.model(rest).filter(|model| self.holds(model)) {
                Some(model) => Reply::Sat(model),
                None => Reply::Unshown,
            },
            Some((SExpr::Unsat, _)) | None => nonsense(),
        }
    }

    fn model(&self, shown: &str) -> Option<Model> {
        let mut model = Model::default();
        let asked = self.variables.len() + 2 * self.reads.len();
        let shown = if asked == 0 { Vec::new() } else { values(shown)? };
        if shown.len() != asked {
            return None;
        }
        let mut shown = shown.into_iter();
        for (variable, term) in &self.variables {
            model.set(*variable, Value::Bits(shown.next()? & mask(self.terms.width(*term))));
        }
        let mut arrays: FxHashMap<VarId, BTreeMap<u128, u128>> = FxHashMap::default();
        for (variable, array, index) in &self.reads {
            let Sort::Array { element, .. } = self.terms.sort(*array) else { return None };
            let at = shown.next()? & mask(self.terms.width(*index));
            arrays.entry(*variable).or_default().insert(at, shown.next()? & mask(element));
        }
        for (variable, entries) in arrays {
            model.set(variable, Value::Array(Arc::new(ArrayValue { default: 0, entries })));
        }
        Some(model)
    }

    fn holds(&self, model: &Model) -> bool {
        evaluate(self.terms, model, self.assumptions).iter().all(|value| *value == Value::Bits(1))
    }
}

/// Whether a term may be a NaN whose bits SMT-LIB does not say.
fn may_be_nan(term: Term) -> bool {
    matches!(term, Term::FloatUnary(..) | Term::FloatBinary(..) | Term::Fma(..) | Term::FloatToFloat { .. })
}

fn variables(terms: &Terms, reachable: &[TermId]) -> Vec<(VarId, TermId)> {
    let variable = |id: &TermId| match (terms.get(*id), terms.sort(*id)) {
        (Term::Var(variable), Sort::Bits(_)) => Some((variable, *id)),
        _ => None,
    };
    reachable.iter().filter_map(variable).collect()
}

/// Array variables with the indices at which they are read, directly or below writes and joins.
fn reads(terms: &Terms, reachable: &[TermId]) -> Vec<(VarId, TermId, TermId)> {
    let mut below: FxHashMap<TermId, Rc<[(VarId, TermId)]>> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    let mut reads = Vec::new();
    // Operands come before what they are in.
    for &id in reachable {
        let known = |array: &TermId| below.get(array).cloned().unwrap_or_else(|| Rc::from([]));
        match (terms.get(id), terms.sort(id)) {
            (Term::Select(array, index), _) => {
                let variables = known(&array);
                let new = variables.iter().filter(|(variable, _)| seen.insert((*variable, index)));
                reads.extend(new.map(|(variable, array)| (*variable, *array, index)));
            }
            (Term::Var(variable), Sort::Array { .. }) => {
                below.insert(id, Rc::from([(variable, id)]));
            }
            (Term::Store(array, ..), _) => {
                let same = known(&array);
                below.insert(id, same);
            }
            (Term::Ite(_, a, b), Sort::Array { .. }) => {
                let (a, b) = (known(&a), known(&b));
                let more = b.iter().filter(|variable| !a.contains(variable));
                let all = a.iter().chain(more).copied().collect();
                below.insert(id, all);
            }
            _ => {}
        }
    }
    reads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms() -> (Terms, TermId, TermId) {
        let mut terms = Terms::new();
        let a = terms.fresh("a", Sort::Bits(8));
        let array = terms.fresh("m", Sort::Array { index: 8, element: 8 });
        let element = terms.select(array, a);
        let seven = terms.constant(8, 7);
        let equal = terms.eq(element, seven);
        (terms, a, equal)
    }

    #[test]
    fn a_model_is_believed_only_if_it_holds() {
        let (terms, a, equal) = terms();
        let assumptions = [equal];
        let query = Query::new(&terms, &assumptions).expect("it is expressible");
        assert!(query.is_exact());
        // The variable, then the index and the element of the read.
        let Reply::Sat(model) = query.read("sat\n((a #x03) (i #x03) ((select m i) #x07))") else {
            panic!("the model holds")
        };
        assert_eq!(evaluate(&terms, &model, &[a]), [Value::Bits(3)]);
        for wrong in [
            "sat\n((a #x03) (i #x03) ((select m i) #x08))",
            "sat\n((a #x03) (i #x04) ((select m i) #x07))",
            "sat\n((a #x03) (i #x03))",
            "sat\n",
            "sat\n(model)",
        ] {
            assert!(matches!(query.read(wrong), Reply::Unshown), "{wrong}");
        }
    }

    #[test]
    fn only_answers_are_answers() {
        let (terms, _, equal) = terms();
        let assumptions = [equal];
        let query = Query::new(&terms, &assumptions).expect("it is expressible");
        assert!(matches!(query.read("unsat\n(error \"no model\")\n"), Reply::Unsat));
        assert!(matches!(query.read("unknown\n(error \"no model\")\n"), Reply::Unknown));
        for text in ["", "unsat\nsat\n", "(error \"line 3\")\nunsat\n", "Segmentation fault\n"] {
            assert!(matches!(query.read(text), Reply::Nonsense(_)), "{text}");
        }
    }
}
