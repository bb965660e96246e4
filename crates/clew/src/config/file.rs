// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading `clew.toml`: what is wrong with it is said with file, line and column.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Kind, PATHS, keys};

/// The key that names a file whose settings come first.
const EXTENDS: &str = "extends";

/// What a file says of one key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The flag, without dashes.
    pub key: String,
    /// What it is set to.
    pub value: Value,
    /// Where: `file:line`.
    pub place: String,
}

/// A value, as the flag takes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a switch.
    Switch(bool),
    /// One value each time.
    Words(Vec<String>),
}

impl Setting {
    /// As words of a command line.
    pub fn words(&self) -> Vec<OsString> {
        let flag = format!("--{}", self.key);
        match &self.value {
            Value::Switch(true) => vec![flag.into()],
            Value::Switch(false) => Vec::new(),
            Value::Words(words) => words.iter().map(|word| format!("{flag}={word}").into()).collect(),
        }
    }
}

/// The settings of a file and of those that it extends, which come first and give way.
pub fn read(file: &Path) -> Result<Vec<Setting>, String> {
    read_under(file, &mut Vec::new())
}

fn read_under(file: &Path, open: &mut Vec<PathBuf>) -> Result<Vec<Setting>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let source = Source { file, text: &text };
    let full = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    open.push(full);
    let table = DeTable::parse(&text).map_err(|e| source.wrong(e.span().unwrap_or(0..0), e.message()))?;
    let mut settings = Vec::new();
    for (key, value) in table.get_ref() {
        if key.get_ref() == EXTENDS {
            let other = source.extended(value)?;
            if open.contains(&other.canonicalize().unwrap_or_else(|_| other.clone())) {
                return Err(source.wrong(value.span(), "these files extend each other in a circle"));
            }
            settings.extend(read_under(&other, open)?);
        }
    }
    let known = keys();
    for (key, value) in table.get_ref() {
        let name = key.get_ref();
        if name == EXTENDS {
            continue;
        }
        let Some((_, kind)) = known.iter().find(|(known, _)| known == name) else {
            return Err(source.wrong(key.span(), &unknown(name, &known)));
        };
        let value = source.value(name, *kind, value)?;
        settings.retain(|setting: &Setting| setting.key != **name);
        let (line, _) = source.position(key.span());
        settings.push(Setting { key: name.to_string(), value, place: format!("{}:{line}", file.display()) });
    }
    open.pop();
    Ok(settings)
}

fn unknown(name: &str, known: &[(String, Kind)]) -> String {
    let score = |key: &&(String, Kind)| (strsim::jaro_winkler(name, &key.0) * 1000.0) as u64;
    let nearest = known.iter().max_by_key(score).filter(|key| score(key) > 750);
    match nearest {
        Some((nearest, _)) => format!("there is no key `{name}`; did you mean `{nearest}`?"),
        None => format!("there is no key `{name}`; `clew config` lists them"),
    }
}

struct Source<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    fn position(&self, span: Range<usize>) -> (usize, usize) {
        let before = &self.text[..span.start.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        (line, before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1)
    }

    fn wrong(&self, span: Range<usize>, what: &str) -> String {
        let (line, column) = self.position(span);
        format!("{}:{line}:{column}: {what}", self.file.display())
    }

    /// A path from the folder of the file, as short as it was.
    fn path(&self, path: &str) -> PathBuf {
        self.file.parent().map_or_else(|| path.into(), |folder| folder.join(path))
    }

    fn extended(&self, value: &Spanned<DeValue<'_>>) -> Result<PathBuf, String> {
        match value.get_ref() {
            DeValue::String(text) => Ok(self.path(text)),
            _ => Err(self.wrong(value.span(), "`extends` takes the name of a file")),
        }
    }

    fn value(&self, key: &str, kind: Kind, value: &Spanned<DeValue<'_>>) -> Result<Value, String> {
        let is_path = PATHS.contains(&key);
        let one = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::String(text) if is_path => Ok(self.path(text).display().to_string()),
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            _ => Err(self.wrong(value.span(), &format!("`{key}` takes text or a number"))),
        };
        match (kind, value.get_ref()) {
            (Kind::Switch, DeValue::Boolean(on)) => Ok(Value::Switch(*on)),
            (Kind::Switch, _) => Err(self.wrong(value.span(), &format!("`{key}` takes true or false"))),
            (Kind::List, DeValue::Array(values)) => {
                Ok(Value::Words(values.iter().map(one).collect::<Result<_, _>>()?))
            }
            (Kind::One, DeValue::Array(_)) => {
                Err(self.wrong(value.span(), &format!("`{key}` takes one value, not a list")))
            }
            _ => Ok(Value::Words(vec![one(value)?])),
        }
    }
}
