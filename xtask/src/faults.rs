// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plants one fault in a C program: the kinds of slip that people make.
//!
//! A fault is a small change of the text. Whether the program still compiles, and whether the fault is ever
//! reached, is found out by trying.

use fastrand::Rng;

use crate::tokens::{Kind, Token, closing, tokens};

/// A program with a fault in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faulty {
    /// What was done.
    pub fault: &'static str,
    /// The line it was done in.
    pub line: u32,
    /// The whole text.
    pub text: String,
}

/// A change: these bytes are replaced by that.
type Edit = (std::ops::Range<usize>, String);
/// Proposes an edit at a token, if the fault fits there.
type Planter = fn(&Site<'_, '_>, &mut Rng) -> Option<Edit>;

/// A place where a fault may go.
struct Site<'t, 'a> {
    text: &'a str,
    tokens: &'t [Token<'a>],
    at: usize,
}

const PLANTERS: &[(&str, Planter)] = &[
    ("index moved", index_moved),
    ("array shortened", array_shortened),
    ("initialiser dropped", initialiser_dropped),
    ("allocation too small", allocation_too_small),
    ("guard removed", guard_removed),
    ("off by one", off_by_one),
    ("large addend", large_addend),
    ("shift too far", shift_too_far),
    ("freed twice", freed_twice),
    ("freed too early", freed_too_early),
    ("never freed", never_freed),
    ("pointer cleared", pointer_cleared),
    ("divided by zero", divided_by_zero),
    ("terminator lost", terminator_lost),
    ("length too long", length_too_long),
    ("unsafe arithmetic", unsafe_arithmetic),
];

/// Plants one random fault; `None` when none was found to fit in a number of tries.
pub fn plant(text: &str, random: &mut Rng) -> Option<Faulty> {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return None;
    }
    for _ in 0..50 {
        let (fault, planter) = PLANTERS[random.usize(..PLANTERS.len())];
        // From a random token on, the first place that fits.
        let first = random.usize(..tokens.len());
        let places = (first..tokens.len()).chain(0..first);
        let edit = places.into_iter().find_map(|at| planter(&Site { text, tokens: &tokens, at }, random));
        if let Some((range, replacement)) = edit {
            let line = text[..range.start].matches('\n').count() as u32 + 1;
            let mut changed = text.to_owned();
            changed.replace_range(range, &replacement);
            if changed != text {
                return Some(Faulty { fault, line, text: changed });
            }
        }
    }
    None
}

impl<'a> Site<'_, 'a> {
    /// The token that many places further, or nothing there.
    fn peek(&self, distance: isize) -> &'a str {
        self.token(distance).map_or("", |token| token.text)
    }

    fn token(&self, distance: isize) -> Option<Token<'a>> {
        self.tokens.get(self.at.checked_add_signed(distance)?).copied()
    }

    /// Whether the token is a value: a name, a number or the end of a longer one.
    fn is_value(&self, distance: isize) -> bool {
        self.token(distance).is_some_and(|token| {
            matches!(token.kind, Kind::Word | Kind::Number)
                && !matches!(token.text, "return" | "case" | "sizeof")
                || matches!(token.text, ")" | "]")
        })
    }

    /// A binary operator of this text stands here.
    fn is_binary(&self, operators: &[&str]) -> bool {
        operators.contains(&self.peek(0)) && self.is_value(-1) && (self.is_value(1) || self.peek(1) == "(")
    }

    /// Puts text in place of this token.
    fn replace(&self, text: impl Into<String>) -> Option<Edit> {
        let token = self.token(0)?;
        Some((token.start..token.end(), text.into()))
    }

    /// The text between two tokens, without them.
    fn between(&self, open: usize, close: usize) -> (std::ops::Range<usize>, &'a str) {
        let range = self.tokens[open].end()..self.tokens[close].start;
        (range.clone(), &self.text[range])
    }

    /// The start of the statement that this token is in.
    fn statement_start(&self) -> Option<usize> {
        let before =
            self.tokens[..self.at].iter().rposition(|token| matches!(token.text, ";" | "{" | "}"))?;
        // Inside the head of a `for` a statement cannot go.
        let head = &self.tokens[before + 1..self.at];
        let open = head.iter().filter(|t| t.text == "(").count();
        let close = head.iter().filter(|t| t.text == ")").count();
        let keyword = head.iter().any(|t| matches!(t.text, "else" | "struct" | "static" | "case"));
        (open >= close && !keyword).then(|| self.tokens[before].end())
    }

    /// The argument of `free(x);` here, and the whole statement.
    fn free_statement(&self) -> Option<(&'a str, std::ops::Range<usize>)> {
        if self.peek(0) != "free" || self.peek(1) != "(" {
            return None;
        }
        let close = closing(self.tokens, self.at + 1)?;
        if self.tokens.get(close + 1)?.text != ";" {
            return None;
        }
        let (_, argument) = self.between(self.at + 1, close);
        Some((argument, self.tokens[self.at].start..self.tokens[close + 1].end()))
    }

    /// The last argument of a call of one of these functions here.
    fn last_argument(&self, functions: &[&str]) -> Option<(std::ops::Range<usize>, &'a str)> {
        if !functions.contains(&self.peek(0)) || self.peek(1) != "(" {
            return None;
        }
        let close = closing(self.tokens, self.at + 1)?;
        let mut start = self.at + 1;
        let mut index = start + 1;
        while index < close {
            match self.tokens[index].text {
                "(" | "[" | "{" => index = closing(self.tokens, index)?,
                "," => start = index,
                _ => {}
            }
            index += 1;
        }
        Some(self.between(start, close))
    }
}

fn index_moved(site: &Site<'_, '_>, random: &mut Rng) -> Option<Edit> {
    if site.peek(0) != "[" || !site.is_value(-1) {
        return None;
    }
    let close = closing(site.tokens, site.at)?;
    let (range, inner) = site.between(site.at, close);
    let shift = ["+ 1", "- 1", "+ 2", "+ 7", "- 3", "+ 100", "+ 100000", "* 2"][random.usize(..8)];
    (!inner.is_empty()).then(|| (range, format!("({inner}) {shift}")))
}

fn array_shortened(site: &Site<'_, '_>, random: &mut Rng) -> Option<Edit> {
    let declared =
        site.peek(-1) == "[" && site.peek(1) == "]" && matches!(site.peek(2), ";" | "," | "=" | "[");
    let bound: u64 = site.peek(0).parse().ok()?;
    (declared && bound > 1)
        .then(|| site.replace((if random.bool() { bound / 2 } else { bound - 1 }).to_string()))?
}

fn initialiser_dropped(site: &Site<'_, '_>, _: &mut Rng) -> Option<Edit> {
    let name = site.token(-1).is_some_and(|token| token.kind == Kind::Word);
    let typed = site.token(-2).is_some_and(|token| token.kind == Kind::Word || token.text == "*");
    if site.peek(0) != "=" || !name || !typed {
        return None;
    }
    let end = site.tokens[site.at..].iter().position(|token| token.text == ";")? + site.at;
    Some((site.tokens[site.at].start..site.tokens[end].start, String::new()))
}

fn allocation_too_small(site: &Site<'_, '_>, random: &mut Rng) -> Option<Edit> {
    let (range, argument) = site.last_argument(&["malloc", "calloc", "realloc"])?;
    let less = ["/ 2", "- 1", "- 4", "/ 3"][random.usize(..4)];
    Some((range, format!("({argument}) {less}")))
}

fn guard_removed(site: &Site<'_, '_>, random: &mut Rng) -> Option<Edit> {
    if site.peek(0) != "if" || site.peek(1) != "(" {
        return None;
    }
    let close = closing(site.tokens, site.at + 1)?;
    let (range, _) = site.between(site.at + 1, close);
    Some((range, u8::from(random.bool()).to_string()))
}

fn off_by_one(site: &Site<'_, '_>, _: &mut Rng) -> Option<Edit> {
    let other = match site.peek(0) {
        "<" => "<=",
        "<=" => "<",
        ">" => ">=",
        ">=" => ">",
        _ => return None,
    };
    site.is_value(-1).then(|| site.replace(other))?
}

fn large_addend(site: &Site<'_, '_>, random: &mut Rng) -> Option<Edit> {
    let large = ["2147483647", "2147483600", "(-2147483647 - 1)"][random.usize(..3)];
    site.is_binary(&["+", "-"]).then(|| site.replace(format!("{} {large} +", site.peek(0))))?
}

fn shift_too_far(site: &Site<'_, '_>, random: &mut Rng) -> Option<Edit> {
    let far = [32, 40, 64, -1][random.usize(..4)];
    site.is_binary(&["<<", ">>"]).then(|| site.replace(format!("{} {far} +", site.peek(0))))?
}

fn freed_twice(site: &Site<'_, '_>, _: &mut Rng) -> Option<Edit> {
    let (argument, range) = site.free_statement()?;
    Some((range, format!("{{ free({argument}); free({argument}); }}")))
}

fn freed_too_early(site: &Site<'_, '_>, _: &mut Rng) -> Option<Edit> {
    if site.peek(1) != "->" || site.token(0)?.kind != Kind::Word || site.peek(-1) == "->" {
        return None;
    }
    let start = site.statement_start()?;
    Some((start..start, format!(" free((void *){});", site.peek(0))))
}

fn never_freed(site: &Site<'_, '_>, _: &mut Rng) -> Option<Edit> {
    let (_, range) = site.free_statement()?;
    Some((range, ";".into()))
}

fn pointer_cleared(site: &Site<'_, '_>, _: &mut Rng) -> Option<Edit> {
    if site.peek(1) != "->" || site.token(0)?.kind != Kind::Word || site.peek(-1) == "->" {
        return None;
    }
    let start = site.statement_start()?;
    Some((start..start, format!(" {} = 0;", site.peek(0))))
}

fn divided_by_zero(site: &Site<'_, '_>, _: &mut Rng) -> Option<Edit> {
    if !site.is_binary(&["/", "%"]) || !matches!(site.token(1)?.kind, Kind::Word | Kind::Number) {
        return None;
    }
    let divisor = site.peek(1);
    (divisor != "sizeof").then(|| site.replace(format!("{} ({divisor} - {divisor}) +", site.peek(0))))?
}

fn terminator_lost(site: &Site<'_, '_>, _: &mut Rng) -> Option<Edit> {
    (site.peek(0) == "'\\0'" && site.peek(-1) == "=").then(|| site.replace("'x'"))?
}

fn length_too_long(site: &Site<'_, '_>, random: &mut Rng) -> Option<Edit> {
    let (range, argument) = site.last_argument(&["memcpy", "memset", "memmove", "strncpy", "memcmp"])?;
    let more = [1, 8, 200][random.usize(..3)];
    Some((range, format!("({argument}) + {more}")))
}

/// csmith guards its arithmetic by functions; the program starts with the same without a guard.
fn unsafe_arithmetic(site: &Site<'_, '_>, _: &mut Rng) -> Option<Edit> {
    let rest = site.peek(0).strip_prefix("safe_")?;
    let (operation, types) = rest.split_once("_func_")?;
    let known = UNSAFE.iter().any(|(name, _)| *name == operation);
    // The unsigned ones cannot fail but for division and shifts.
    let fails = types.contains("int")
        && (!types.starts_with('u') || matches!(operation, "div" | "mod" | "lshift" | "rshift"));
    (known && fails).then(|| site.replace(format!("raw_{operation}")))?
}

const UNSAFE: &[(&str, &str)] = &[
    ("add", "(a, b) ((a) + (b))"),
    ("sub", "(a, b) ((a) - (b))"),
    ("mul", "(a, b) ((a) * (b))"),
    ("div", "(a, b) ((a) / (b))"),
    ("mod", "(a, b) ((a) % (b))"),
    ("lshift", "(a, b) ((a) << (b))"),
    ("rshift", "(a, b) ((a) >> (b))"),
    ("unary_minus", "(a) (-(a))"),
];

/// The lines that a csmith program needs in front for [`plant`] to take its guards away.
pub fn unsafe_macros() -> String {
    UNSAFE.iter().map(|(name, rest)| format!("#define raw_{name}{rest}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "int f(int *a, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i] / n;\n  \
                           free(a);\n  return s << 2;\n}\n";

    #[test]
    fn a_seed_always_plants_the_same_fault() {
        let once = plant(PROGRAM, &mut Rng::with_seed(3)).unwrap();
        assert_eq!(once, plant(PROGRAM, &mut Rng::with_seed(3)).unwrap());
        assert_ne!(once.text, PROGRAM);
    }

    #[test]
    fn faults_of_many_kinds_are_planted() {
        let mut kinds: Vec<&str> =
            (0..300).filter_map(|seed| plant(PROGRAM, &mut Rng::with_seed(seed))).map(|f| f.fault).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert!(kinds.len() >= 7, "{kinds:?}");
    }

    #[test]
    fn the_last_argument_is_found() {
        let text = "memcpy(a, f(b, c), n + 1);";
        let tokens = tokens(text);
        let site = Site { text, tokens: &tokens, at: 0 };
        assert_eq!(site.last_argument(&["memcpy"]).unwrap().1.trim(), "n + 1");
    }
}
