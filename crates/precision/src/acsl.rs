// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranges from contracts: `/*@ requires 0 <= x <= 1 && y >= -2.5; */` before a function.
//!
//! Of ACSL only comparisons of parameters with numbers are read, in chains and joined by `&&`. A clause that says anything else
//! is left out, which allows more inputs than it does, and reported so that nobody relies on it.

use clew_base::source::Span;
use clew_ir::syntax::{FuncId, Program};

use crate::constant::double_of;
use crate::interval::Interval;

/// What a contract says of a function's inputs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Contract {
    /// Ranges by name.
    pub ranges: Vec<(String, Interval)>,
    /// Clauses that are not understood.
    pub unread: Vec<String>,
}

/// The contract that stands right before a function; an error if no input can keep it.
pub fn contract(program: &Program, function: FuncId) -> Result<Contract, String> {
    let declared = &program.functions[function];
    if declared.span.is_none() {
        return Ok(Contract::default());
    }
    let before = Span { start: 0, end: declared.span.start, expansion: None, ..declared.span };
    let text = String::from_utf8_lossy(program.sources.text(before)).into_owned();
    let Some(comment) = comment_before(&text) else { return Ok(Contract::default()) };
    read(&comment)
}

/// The text of `/*@ ... */` or of lines `//@ ...`, if only the function's own declaration stands between.
fn comment_before(text: &str) -> Option<String> {
    let is_declaration = |rest: &str| !rest.contains([';', '}', '{', '#']);
    let block = text.rfind("/*@").and_then(|start| {
        let (comment, rest) = text[start + 3..].split_once("*/")?;
        is_declaration(rest).then(|| (start, comment.replace('@', " ")))
    });
    let line = text.rfind("//@").and_then(|start| {
        let (_, rest) = text[start..].split_once('\n')?;
        let lines = text.lines().rev().skip_while(|line| !line.trim_start().starts_with("//@"));
        let lines = lines.map_while(|line| line.trim_start().strip_prefix("//@"));
        let mut all: Vec<&str> = lines.collect();
        all.reverse();
        is_declaration(rest).then(|| (start, all.join(" ")))
    });
    block.into_iter().chain(line).max_by_key(|(start, _)| *start).map(|(_, comment)| comment)
}

fn read(comment: &str) -> Result<Contract, String> {
    let mut contract = Contract::default();
    for clause in comment.split(';') {
        let Some(condition) = clause.trim().strip_prefix("requires") else { continue };
        for part in condition.split("&&") {
            match chain(part) {
                Some(ranges) => {
                    for (name, range) in ranges {
                        narrow(&mut contract, name, range)
                            .ok_or_else(|| format!("requires {}: no number is so", part.trim()))?;
                    }
                }
                None => contract.unread.push(part.split_whitespace().collect::<Vec<_>>().join(" ")),
            }
        }
    }
    Ok(contract)
}

fn narrow(contract: &mut Contract, name: String, range: Interval) -> Option<()> {
    match contract.ranges.iter_mut().find(|(known, _)| *known == name) {
        Some((_, known)) => *known = known.meet(range)?,
        None => contract.ranges.push((name, range)),
    }
    Some(())
}

/// `0 <= x < y`: what each comparison of a name with a number says.
fn chain(text: &str) -> Option<Vec<(String, Interval)>> {
    let (mut terms, mut operators, mut rest) = (Vec::new(), Vec::new(), text.trim());
    let rest_of = loop {
        let at = rest.find(['<', '>', '=', '!'])?;
        terms.push(term(&rest[..at])?);
        let operator = ["<=", ">=", "==", "<", ">"].into_iter().find(|op| rest[at..].starts_with(op))?;
        operators.push(operator);
        rest = rest[at + operator.len()..].trim_start();
        if !rest.contains(['<', '>', '=', '!']) {
            break rest;
        }
    };
    terms.push(term(rest_of)?);
    let mut ranges = Vec::new();
    for (index, operator) in operators.iter().enumerate() {
        let at_most = |x: f64| Interval::new(f64::NEG_INFINITY, x);
        let at_least = |x: f64| Interval::new(x, f64::INFINITY);
        let (name, range) = match (&terms[index], *operator, &terms[index + 1]) {
            (Term::Name(name), "<" | "<=", Term::Number(x)) => (name, at_most(*x)),
            (Term::Name(name), ">" | ">=", Term::Number(x)) => (name, at_least(*x)),
            (Term::Number(x), "<" | "<=", Term::Name(name)) => (name, at_least(*x)),
            (Term::Number(x), ">" | ">=", Term::Name(name)) => (name, at_most(*x)),
            (Term::Name(name), "==", Term::Number(x)) | (Term::Number(x), "==", Term::Name(name)) => {
                (name, Interval::point(*x))
            }
            _ => return None,
        };
        ranges.push((name.clone(), range));
    }
    Some(ranges)
}

enum Term {
    Name(String),
    Number(f64),
}

fn term(text: &str) -> Option<Term> {
    let text = text.trim().trim_matches(['(', ')']).trim();
    let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name {
        return Some(Term::Name(text.to_owned()));
    }
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest.trim_start()));
    // A decimal fraction that is no double: its nearest double is an end that the type can have.
    double_of(digits).map(|x| Term::Number(sign * x))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(text: &str) -> Vec<(String, Interval)> {
        comment_before(text).map_or_else(Vec::new, |comment| read(&comment).unwrap_or_default().ranges)
    }

    #[test]
    fn chains_and_conjunctions_become_ranges() {
        let text = "int g;\n/*@ requires 0 <= x <= 1 && -2.5 < y;\n  @ requires y <= 3;\n  @*/\ndouble ";
        let wanted = [("x".to_owned(), Interval::new(0.0, 1.0)), ("y".to_owned(), Interval::new(-2.5, 3.0))];
        assert_eq!(ranges(text), wanted);
        assert_eq!(
            ranges("//@ requires x >= 1;\n//@ requires x <= 2;\ndouble ")[0].1,
            Interval::new(1.0, 2.0)
        );
    }

    #[test]
    fn a_contract_of_another_function_is_not_taken() {
        assert_eq!(ranges("/*@ requires 0 <= x <= 1; */ double g(double x) { return x; }\ndouble "), []);
    }

    #[test]
    fn what_is_not_understood_is_said_and_what_contradicts_itself_is_wrong() {
        let contract = read("requires x <= y && 0 <= x <= 1; ensures \\result >= 0").unwrap_or_default();
        assert_eq!(contract.unread, ["x <= y"]);
        assert_eq!(contract.ranges.len(), 1);
        assert!(read("requires x >= 1 && x <= 0;").is_err());
    }
}
