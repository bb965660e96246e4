// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parenthesised text: words, strings and lists.

/// A word or a list.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// A symbol or a number.
    Word(String),
    /// A string.
    Text(String),
    /// A list, in round or square brackets.
    List(Vec<Form>),
}

impl Form {
    /// The word it is.
    pub fn word(&self) -> Option<&str> {
        match self {
            Form::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The list it is.
    pub fn list(&self) -> Option<&[Form]> {
        match self {
            Form::List(list) => Some(list),
            _ => None,
        }
    }
}

/// All forms of a text.
pub fn parse(text: &str) -> Result<Vec<Form>, String> {
    let mut stack: Vec<(char, Vec<Form>)> = vec![(' ', Vec::new())];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let form = match c {
            ';' => {
                while chars.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            '(' | '[' => {
                stack.push((if c == '(' { ')' } else { ']' }, Vec::new()));
                continue;
            }
            ')' | ']' => match stack.pop() {
                Some((close, list)) if close == c => Form::List(list),
                _ => return Err(format!("`{c}` closes nothing")),
            },
            '"' => Form::Text(string(&mut chars)?),
            c if c.is_whitespace() => continue,
            c => {
                let mut word = String::from(c);
                while let Some(next) = chars.next_if(|c| !c.is_whitespace() && !"()[]\";".contains(*c)) {
                    word.push(next);
                }
                Form::Word(word)
            }
        };
        match stack.last_mut() {
            Some((_, list)) => list.push(form),
            None => return Err("a bracket closes nothing".to_owned()),
        }
    }
    match stack.pop() {
        Some((' ', forms)) => Ok(forms),
        _ => Err("a bracket is not closed".to_owned()),
    }
}

fn string(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, String> {
    let mut text = String::new();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Ok(text),
            '\\' => text.extend(chars.next()),
            c => text.push(c),
        }
    }
    Err("a string is not closed".to_owned())
}
