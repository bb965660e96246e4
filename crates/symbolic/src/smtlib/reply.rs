// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a solver prints: a word, and after `sat` the values that were asked for.
//!
//! Nothing here trusts the text. What is not exactly an answer is none.

/// The word that a reply begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SExpr {
    Sat,
    Unsat,
    Unknown,
}

/// The word and what follows it; none if it begins with anything else.
pub(super) fn s_expression(text: &str) -> Option<(SExpr, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let word = match &text[..end] {
        "sat" => SExpr::Sat,
        "unsat" => SExpr::Unsat,
        // Some say why they do not know.
        "unknown" | "timeout" => SExpr::Unknown,
        _ => return None,
    };
    Some((word, &text[end..]))
}

/// Whether nothing is left but complaints: that there are no values to show where there is no model.
pub(super) fn is_complaint(rest: &str) -> bool {
    rest.lines().all(|line| line.trim().is_empty() || line.starts_with("(error"))
}

/// The values of a reply to `get-value`, in the order of the reply: `((name value) ...)`.
pub(super) fn values(text: &str) -> Option<Vec<u128>> {
    let mut tokens = Tokens { rest: text };
    tokens.expect("(")?;
    let mut values = Vec::new();
    loop {
        match tokens.next()? {
            ")" => break,
            "(" => {
                tokens.skip()?;
                values.push(tokens.value()?);
                tokens.expect(")")?;
            }
            _ => return None,
        }
    }
    tokens.next().is_none().then_some(values)
}

struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let first = text.chars().next()?;
        let end = match first {
            '(' | ')' => 1,
            _ => text.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')')).unwrap_or(text.len()),
        };
        let (token, rest) = text.split_at(end);
        self.rest = rest;
        Some(token)
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        (self.next()? == token).then_some(())
    }

    /// Passes an expression.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0u32;
        loop {
            match self.next()? {
                "(" => depth += 1,
                ")" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// A bit-vector: `#x0f`, `#b01` or `(_ bv15 8)`.
    fn value(&mut self) -> Option<u128> {
        let token = self.next()?;
        if let Some(digits) = token.strip_prefix("#x") {
            return u128::from_str_radix(digits, 16).ok();
        }
        if let Some(digits) = token.strip_prefix("#b") {
            return u128::from_str_radix(digits, 2).ok();
        }
        (token == "(").then_some(())?;
        self.expect("_")?;
        let value = self.next()?.strip_prefix("bv")?.parse().ok();
        self.next()?;
        self.expect(")")?;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_in_three_forms() {
        let text = "\n((t1 #x0f)\n ((select t2 t1) #b101)\n (t3 (_ bv77 12)))\n";
        assert_eq!(values(text), Some(vec![15, 5, 77]));
        assert_eq!(values("()"), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_list_of_values_is_nothing() {
        for text in [
            "",
            "(",
            "((t1 #x0f)",
            "((t1 #x0f)) more",
            "((t1 15))",
            "((t1 #xzz))",
            "((t1 #x))",
            "((t1 (_ bv 8)))",
            "((t1 #x111111111111111111111111111111111))",
            "(t1 #x0f)",
            ")((",
            "((t1 \u{e9}))",
        ] {
            assert_eq!(values(text), None, "{text}");
        }
    }

    #[test]
    fn a_reply_begins_with_its_word() {
        assert_eq!(s_expression("sat\n((t1 #b1))"), Some((SExpr::Sat, "\n((t1 #b1))")));
        assert_eq!(s_expression("  unsat"), Some((SExpr::Unsat, "")));
        assert_eq!(s_expression("timeout\n").map(|(word, _)| word), Some(SExpr::Unknown));
        for text in ["", "satisfiable", "(error \"line 1\")\nunsat\n", "Unsat", "warning: unsat"] {
            assert_eq!(s_expression(text), None, "{text}");
        }
    }
}
