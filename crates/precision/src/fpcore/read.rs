// SPDX-License-Identifier: MIT OR Apache-2.0
//! From FPCore to C.

use std::fmt::Write;

use super::syntax::{Form, parse};

/// A core as C.
#[derive(Clone, Debug)]
pub struct Core {
    /// Its `:name`.
    pub name: String,
    /// The C function: `ex0`, `ex1`, in the order of the file.
    pub function: String,
    /// The text of the function, or what C cannot say of it.
    pub text: Result<String, String>,
}

/// All cores of a file.
pub fn read(text: &str) -> Result<Vec<Core>, String> {
    read_in(text, None)
}

/// All cores of a file in gcc's binary128, whatever precision they ask for: what a referee takes for the reals.
pub fn read_wide(text: &str) -> Result<Vec<Core>, String> {
    read_in(text, Some(Kind::Wide))
}

/// All cores of a file in `long double`: quick, and near enough to the reals to say which inputs are worth a closer look.
pub fn read_long(text: &str) -> Result<Vec<Core>, String> {
    read_in(text, Some(Kind::Long))
}

fn read_in(text: &str, kind: Option<Kind>) -> Result<Vec<Core>, String> {
    let mut cores = Vec::new();
    for form in parse(text)? {
        let Some([head, rest @ ..]) = form.list() else {
            return Err("only cores stand outside of brackets".to_owned());
        };
        if head.word() != Some("FPCore") {
            return Err("a core starts with `FPCore`".to_owned());
        }
        cores.push(core(rest, cores.len(), kind));
    }
    Ok(cores)
}

fn core(rest: &[Form], number: usize, kind: Option<Kind>) -> Core {
    let function = format!("ex{number}");
    // A name may come before the parameters.
    let rest = if rest.first().is_some_and(|form| form.word().is_some()) { &rest[1..] } else { rest };
    let named = property(rest, ":name");
    let name = match named {
        Some(Form::Text(name)) => name.clone(),
        _ => function.clone(),
    };
    let text = write_core(rest, &function, kind);
    Core { name, function, text }
}

/// Whether a part of a body has a precision of its own.
fn mixes(form: &Form) -> bool {
    form.list().is_some_and(|list| {
        list.first().and_then(Form::word).is_some_and(|head| head == "!") || list.iter().any(mixes)
    })
}

fn property<'f>(rest: &'f [Form], name: &str) -> Option<&'f Form> {
    let at = rest.iter().position(|form| form.word() == Some(name))?;
    rest.get(at + 1)
}

fn write_core(rest: &[Form], function: &str, always: Option<Kind>) -> Result<String, String> {
    let parameters = rest.first().and_then(Form::list).ok_or("a core has a list of parameters")?;
    let body = rest.last().ok_or("a core has a body")?;
    let kind = match (always, property(rest, ":precision").and_then(Form::word)) {
        (Some(kind), _) => kind,
        (None, Some(precision)) => Kind::named(precision)?,
        (None, None) => Kind::Double,
    };
    let mut writer = Writer { out: String::new(), fresh: 0, always, mixes: mixes(body) };
    let mut scope = Scope { names: Vec::new(), kind };
    let mut list = Vec::new();
    for parameter in parameters {
        let name = match parameter {
            Form::Word(name) => name,
            _ => return Err("a parameter with a shape or a precision of its own".to_owned()),
        };
        let c_name = identifier(name);
        list.push(format!("{} {c_name}", kind.c_name()));
        scope.names.push((name.clone(), c_name));
    }
    if let Some(condition) = property(rest, ":pre") {
        let condition = writer.expr(condition, &scope)?;
        let _ = writeln!(writer.out, "    __VERIFIER_assume({condition});");
    }
    let result = writer.expr(body, &scope)?;
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    Ok(format!("{} {function}({list})\n{{\n{}    return {result};\n}}\n", kind.c_name(), writer.out))
}

/// The name in C of a name in FPCore.
fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let is_taken =
        ["double", "float", "int", "if", "while", "for", "do", "E", "PI"].contains(&plain.as_str());
    if is_taken || plain.starts_with(|c: char| c.is_ascii_digit()) { format!("{plain}_") } else { plain }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Float,
    Double,
    Long,
    Wide,
}

impl Kind {
    fn named(precision: &str) -> Result<Kind, String> {
        match precision {
            "binary32" => Ok(Kind::Float),
            "binary64" => Ok(Kind::Double),
            "binary80" => Ok(Kind::Long),
            other => Err(format!("the precision {other}")),
        }
    }

    fn c_name(self) -> &'static str {
        match self {
            Kind::Float => "float",
            Kind::Double => "double",
            Kind::Long => "long double",
            Kind::Wide => "__float128",
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Kind::Float => "f",
            Kind::Double => "",
            Kind::Long => "l",
            Kind::Wide => "q",
        }
    }
}

#[derive(Clone)]
struct Scope {
    names: Vec<(String, String)>,
    kind: Kind,
}

struct Writer {
    out: String,
    fresh: u32,
    always: Option<Kind>,
    /// Whether parts have a precision of their own.
    mixes: bool,
}

const CONSTANTS: [(&str, &str); 13] = [
    ("E", "2.71828182845904523536028747135266249775724709"),
    ("LOG2E", "1.44269504088896340735992468100189213742664596"),
    ("LOG10E", "0.43429448190325182765112891891660508229439701"),
    ("LN2", "0.69314718055994530941723212145817656807550013"),
    ("LN10", "2.30258509299404568401799145468436420760110149"),
    ("PI", "3.14159265358979323846264338327950288419716940"),
    ("PI_2", "1.57079632679489661923132169163975144209858470"),
    ("PI_4", "0.78539816339744830961566084581987572104929235"),
    ("M_1_PI", "0.31830988618379067153776752674502872406891929"),
    ("M_2_PI", "0.63661977236758134307553505349005744813783858"),
    ("M_2_SQRTPI", "1.12837916709551257389615890312154517168810126"),
    ("SQRT2", "1.41421356237309504880168872420969807856967188"),
    ("SQRT1_2", "0.70710678118654752440084436210484903928483594"),
];

const FUNCTIONS: [&str; 31] = [
    "fabs",
    "fma",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log10",
    "log2",
    "log1p",
    "pow",
    "sqrt",
    "cbrt",
    "hypot",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "ceil",
    "floor",
    "trunc",
    "round",
    "nearbyint",
];

impl Writer {
    fn expr(&mut self, form: &Form, scope: &Scope) -> Result<String, String> {
        match form {
            Form::Word(word) => atom(word, scope),
            Form::Text(_) => Err("a string in an expression".to_owned()),
            Form::List(list) => {
                let Some((Form::Word(head), rest)) = list.split_first() else {
                    return Err("a list without an operator".to_owned());
                };
                self.application(head, rest, scope)
            }
        }
    }

    fn application(&mut self, head: &str, rest: &[Form], scope: &Scope) -> Result<String, String> {
        match (head, rest) {
            ("let" | "let*", [Form::List(bindings), body]) => {
                let inner = self.bind(head == "let*", bindings, scope)?;
                self.expr(body, &inner)
            }
            ("if", [condition, then, otherwise]) => self.choice(condition, then, otherwise, scope),
            ("while" | "while*", [condition, Form::List(variables), body]) => {
                self.repeat(head == "while*", condition, variables, body, scope)
            }
            ("!", [annotations @ .., body]) => {
                let kind = match (self.always, property(annotations, ":precision").and_then(Form::word)) {
                    (Some(kind), _) => kind,
                    (None, Some(precision)) => Kind::named(precision)?,
                    (None, None) => scope.kind,
                };
                let inner = Scope { kind, ..scope.clone() };
                let value = self.expr(body, &inner)?;
                Ok(format!("({})({value})", kind.c_name()))
            }
            ("cast", [body]) => {
                let value = self.expr(body, scope)?;
                Ok(format!("({})({value})", scope.kind.c_name()))
            }
            ("-", [x]) => Ok(format!("(-{})", self.expr(x, scope)?)),
            ("and" | "or", all) => {
                let all = all.iter().map(|form| self.expr(form, scope)).collect::<Result<Vec<_>, _>>()?;
                Ok(format!("({})", all.join(if head == "and" { " && " } else { " || " })))
            }
            ("not", [x]) => Ok(format!("(!{})", self.expr(x, scope)?)),
            ("=>", [x, y]) => Ok(format!("(!{} || {})", self.expr(x, scope)?, self.expr(y, scope)?)),
            ("<" | "<=" | ">" | ">=" | "==" | "!=", all) => self.comparison(head, all, scope),
            ("+" | "-" | "*" | "/", [x, y]) => {
                let (x, y) = (self.expr(x, scope)?, self.expr(y, scope)?);
                let kind = scope.kind.c_name();
                // Operands of another precision are converted first: the operation is in the precision that surrounds it.
                Ok(if self.mixes {
                    format!("(({kind}){x} {head} ({kind}){y})")
                } else {
                    format!("({x} {head} {y})")
                })
            }
            ("fmin" | "fmax" | "fdim", [x, y]) => {
                let (x, y) = (self.expr(x, scope)?, self.expr(y, scope)?);
                Ok(format!("{head}{}({x}, {y})", scope.kind.suffix()))
            }
            (name, all) if FUNCTIONS.contains(&name) => {
                let all = all.iter().map(|form| self.expr(form, scope)).collect::<Result<Vec<_>, _>>()?;
                Ok(format!("{name}{}({})", scope.kind.suffix(), all.join(", ")))
            }
            (other, _) => Err(format!("`{other}`")),
        }
    }

    fn comparison(&mut self, op: &str, all: &[Form], scope: &Scope) -> Result<String, String> {
        let all = all.iter().map(|form| self.expr(form, scope)).collect::<Result<Vec<_>, _>>()?;
        let mut parts = Vec::new();
        for (index, left) in all.iter().enumerate() {
            let rights =
                if op == "!=" { &all[index + 1..] } else { &all[index + 1..all.len().min(index + 2)] };
            parts.extend(rights.iter().map(|right| format!("{left} {op} {right}")));
        }
        Ok(format!("({})", parts.join(" && ")))
    }

    fn variable(&mut self, name: &str) -> String {
        self.fresh += 1;
        format!("{}_{}", identifier(name), self.fresh)
    }

    fn bind(&mut self, in_order: bool, bindings: &[Form], scope: &Scope) -> Result<Scope, String> {
        let mut inner = scope.clone();
        for binding in bindings {
            let Some([Form::Word(name), value]) = binding.list() else { return Err("a binding".to_owned()) };
            let value = self.expr(value, if in_order { &inner } else { scope })?;
            let c_name = self.variable(name);
            let _ = writeln!(self.out, "    {} {c_name} = {value};", scope.kind.c_name());
            inner.names.push((name.clone(), c_name));
        }
        Ok(inner)
    }

    fn choice(
        &mut self,
        condition: &Form,
        then: &Form,
        otherwise: &Form,
        scope: &Scope,
    ) -> Result<String, String> {
        let condition = self.expr(condition, scope)?;
        let name = self.variable("choice");
        let _ = writeln!(self.out, "    {} {name};\n    if ({condition}) {{", scope.kind.c_name());
        let value = self.expr(then, scope)?;
        let _ = writeln!(self.out, "    {name} = {value};\n    }} else {{");
        let value = self.expr(otherwise, scope)?;
        let _ = writeln!(self.out, "    {name} = {value};\n    }}");
        Ok(name)
    }

    fn repeat(
        &mut self,
        in_order: bool,
        condition: &Form,
        variables: &[Form],
        body: &Form,
        scope: &Scope,
    ) -> Result<String, String> {
        let kind = scope.kind.c_name();
        let mut inner = scope.clone();
        let mut updates = Vec::new();
        for variable in variables {
            let Some([Form::Word(name), start, update]) = variable.list() else {
                return Err("a loop variable".to_owned());
            };
            let start = self.expr(start, if in_order { &inner } else { scope })?;
            let c_name = self.variable(name);
            let _ = writeln!(self.out, "    {kind} {c_name} = {start};");
            inner.names.push((name.clone(), c_name.clone()));
            updates.push((c_name, update));
        }
        let _ = writeln!(self.out, "    for (;;) {{");
        let condition = self.expr(condition, &inner)?;
        let _ = writeln!(self.out, "    if (!{condition}) break;");
        let mut together = Vec::new();
        for (c_name, update) in updates {
            let value = self.expr(update, &inner)?;
            if in_order {
                let _ = writeln!(self.out, "    {c_name} = {value};");
            } else {
                let next = self.variable("next");
                let _ = writeln!(self.out, "    {kind} {next} = {value};");
                together.push(format!("    {c_name} = {next};\n"));
            }
        }
        self.out.extend(together);
        let _ = writeln!(self.out, "    }}");
        self.expr(body, &inner)
    }
}

fn atom(word: &str, scope: &Scope) -> Result<String, String> {
    if let Some((_, c_name)) = scope.names.iter().rev().find(|(name, _)| name == word) {
        return Ok(c_name.clone());
    }
    let suffix = match scope.kind {
        Kind::Float => "f",
        Kind::Double => "",
        Kind::Long => "L",
        Kind::Wide => "Q",
    };
    match word {
        "TRUE" => return Ok("1".to_owned()),
        "FALSE" => return Ok("0".to_owned()),
        _ => {}
    }
    if let Some((_, digits)) = CONSTANTS.iter().find(|(name, _)| *name == word) {
        return Ok(format!("{digits}{suffix}"));
    }
    if let Some((above, below)) = word.split_once('/') {
        return Ok(format!("({} / {})", number(above, suffix)?, number(below, suffix)?));
    }
    number(word, suffix)
}

fn number(word: &str, suffix: &str) -> Result<String, String> {
    let unsigned = word.trim_start_matches(['-', '+']);
    let is_number =
        unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') && unsigned.parse::<f64>().is_ok();
    if !is_number && !unsigned.starts_with("0x") {
        return Err(format!("the name `{word}`, which nothing binds"));
    }
    let point = if unsigned.contains(['.', 'e', 'E', 'p', 'x']) { "" } else { ".0" };
    let text = format!("{unsigned}{point}{suffix}");
    Ok(if word.starts_with('-') { format!("(-{text})") } else { text })
}
