// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes programs full of initialisers.
//!
//! Unions have members of one size without padding, so that all their bytes are given whichever member is written
//! last: what else they hold is left open by C.

use std::fmt::Write;

use fastrand::Rng;

#[derive(Clone)]
enum Type {
    /// Its name, and whether texts may fill arrays of it.
    Scalar(&'static str, bool),
    Array(Box<Type>, usize),
    /// A number in the list of records.
    Record(usize),
}

struct Member {
    /// None: an anonymous record.
    name: Option<String>,
    ty: Type,
    bits: Option<u32>,
}

struct Record {
    union: bool,
    members: Vec<Member>,
    /// Elements of a flexible array member behind the others.
    flexible: Option<Type>,
}

struct Writer {
    rng: Rng,
    records: Vec<Record>,
    is_static: bool,
    /// Whether compound literals may stand for records: not in static objects of functions.
    literals: bool,
    calls: usize,
}

const INT: Type = Type::Scalar("int", false);
const CHAR: Type = Type::Scalar("char", true);

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1217);
    let mut writer = Writer { rng, records: Vec::new(), is_static: false, literals: true, calls: 0 };
    let mut text = String::from(
        "#include <stdio.h>\nstatic int count;\nstatic int f(int k) { printf(\"f%d\\n\", k); return k + 10 * ++count; }\n",
    );
    for number in 0..writer.rng.usize(2..6) {
        let record = writer.record(number);
        writer.records.push(record);
        text += &writer.declaration(number);
    }
    let mut globals = String::new();
    let mut body = String::new();
    for number in 0..writer.rng.usize(3..8) {
        let name = format!("v{number}");
        let scope = writer.rng.u8(..3);
        writer.is_static = scope < 2;
        writer.literals = scope != 1;
        let ty = writer.object_type();
        let (declared, shown) = writer.object(&name, &ty);
        match scope {
            0 => globals += &declared,
            1 => write!(body, "  static {}", declared.replace('\n', "\n  ").trim_end_matches(' '))
                .unwrap_or(()),
            _ => write!(body, "  {declared}").unwrap_or(()),
        }
        body += &shown;
    }
    text + &globals + "int main(void) {\n  int x = 3, y = 70;\n" + &body + "  return x + y - 73;\n}\n"
}

impl Writer {
    fn record(&mut self, number: usize) -> Record {
        if self.rng.u8(..4) == 0 {
            return self.union();
        }
        let mut members = Vec::new();
        for at in 0..self.rng.usize(1..5) {
            let name = Some(format!("m{number}{at}"));
            members.push(match self.rng.u8(..8) {
                0 => Member { name, ty: INT, bits: Some(self.rng.u32(1..20)) },
                1 if at > 0 => Member { name: None, ty: INT, bits: Some(self.rng.u32(1..9)) },
                2 if number > 0 => {
                    let inner = self.rng.usize(..number);
                    let clash =
                        members.iter().any(|m: &Member| matches!(m.ty, Type::Record(r) if r == inner));
                    let name = if clash || self.holds_anonymous(inner) { name } else { None };
                    Member { name, ty: Type::Record(inner), bits: None }
                }
                _ => Member { name, ty: self.part_type(number), bits: None },
            });
        }
        let flexible = (self.rng.u8(..5) == 0).then(|| if self.rng.bool() { INT } else { CHAR });
        // A record with a flexible array is no member of others, and holds no anonymous one.
        Record { union: false, members, flexible }
    }

    /// Whether an anonymous member of this record would bring names twice.
    fn holds_anonymous(&self, record: usize) -> bool {
        let record = &self.records[record];
        record.flexible.is_some() || record.members.iter().any(|m| m.name.is_none() && m.bits.is_none())
    }

    fn union(&mut self) -> Record {
        let number = self.records.len();
        let choices = [
            Type::Scalar("int", false),
            Type::Scalar("unsigned", false),
            Type::Array(Box::new(Type::Scalar("short", false)), 2),
            Type::Array(Box::new(CHAR), 4),
        ];
        let mut members = Vec::new();
        for at in 0..self.rng.usize(1..4) {
            let ty = choices[self.rng.usize(..choices.len())].clone();
            members.push(Member { name: Some(format!("m{number}{at}")), ty, bits: None });
        }
        Record { union: true, members, flexible: None }
    }

    fn part_type(&mut self, records: usize) -> Type {
        let plain: Vec<usize> = (0..records).filter(|r| self.records[*r].flexible.is_none()).collect();
        match self.rng.u8(..9) {
            0..=2 => INT,
            3 => Type::Scalar("short", false),
            4 => Type::Scalar("unsigned char", true),
            5 => Type::Array(Box::new(CHAR), self.rng.usize(1..7)),
            6 => Type::Array(Box::new(INT), self.rng.usize(1..5)),
            7 if !plain.is_empty() => {
                let inner = Type::Record(plain[self.rng.usize(..plain.len())]);
                Type::Array(Box::new(inner), self.rng.usize(1..4))
            }
            8 if !plain.is_empty() => Type::Record(plain[self.rng.usize(..plain.len())]),
            _ => Type::Array(Box::new(Type::Array(Box::new(CHAR), 3)), 2),
        }
    }

    fn object_type(&mut self) -> Type {
        let usable: Vec<usize> = (0..self.records.len())
            .filter(|r| self.is_static || self.records[*r].flexible.is_none())
            .collect();
        let plain = |w: &Self, r: usize| w.records[r].flexible.is_none();
        match usable.get(self.rng.usize(..usable.len() + 1)).copied() {
            None => self.part_type(self.records.len()),
            Some(record) if plain(self, record) && self.rng.bool() => {
                Type::Array(Box::new(Type::Record(record)), self.rng.usize(1..5))
            }
            Some(record) => Type::Record(record),
        }
    }

    fn declaration(&self, number: usize) -> String {
        let record = &self.records[number];
        let mut text = format!("{} S{number} {{", if record.union { "union" } else { "struct" });
        for member in &record.members {
            let name = member.name.as_deref().unwrap_or("");
            text += " ";
            match (&member.ty, member.bits) {
                (_, Some(bits)) => write!(text, "int {name} : {bits}").unwrap_or(()),
                // The members of a record without a name, written out again: their names are then of the outer one.
                (Type::Record(inner), _) if member.name.is_none() => {
                    let body = self.declaration(*inner);
                    let body = body.trim_end().trim_end_matches(';');
                    text += &body.replacen(&format!(" S{inner} "), " ", 1);
                }
                (ty, _) => text += &self.declared(ty, name),
            }
            text += ";";
        }
        if let Some(element) = &record.flexible {
            write!(text, " {};", self.declared(element, "flex[]")).unwrap_or(());
        }
        text + " };\n"
    }

    fn declared(&self, ty: &Type, name: &str) -> String {
        match ty {
            Type::Scalar(scalar, _) => format!("{scalar} {name}"),
            Type::Array(element, length) => self.declared(element, &format!("{name}[{length}]")),
            Type::Record(number) => {
                format!("{} S{number} {name}", if self.records[*number].union { "union" } else { "struct" })
            }
        }
    }

    /// The declaration of an object with its initialiser, and statements that print it.
    fn object(&mut self, name: &str, ty: &Type) -> (String, String) {
        let flexible = match ty {
            Type::Record(number) => self.records[*number].flexible.clone(),
            _ => None,
        };
        let mut init = self.braces(ty, 0);
        let mut shown = String::new();
        self.show(name, ty, &mut shown);
        if let Some(element) = flexible {
            // Exactly so many elements as are written: gcc says how large the object is, nobody else.
            let length = self.rng.usize(1..4);
            let value = if matches!(element, Type::Scalar("char", _)) && self.rng.bool() {
                format!("\"{}\"", &"abc"[..length - 1])
            } else {
                let values: Vec<String> = (0..length).map(|_| self.scalar()).collect();
                format!("{{{}}}", values.join(", "))
            };
            init.truncate(init.len() - 1);
            let comma = if init.trim_end().ends_with(['{', ',']) { "" } else { ", " };
            write!(init, "{comma}.flex = {value}}}").unwrap_or(());
            for index in 0..length {
                writeln!(shown, "  printf(\"{name}.flex[{index}] %d\\n\", (int){name}.flex[{index}]);")
                    .unwrap_or(());
            }
        }
        (format!("{} = {init};\n", self.declared(ty, name)), shown)
    }

    fn show(&self, name: &str, ty: &Type, out: &mut String) {
        match ty {
            Type::Scalar(..) => writeln!(out, "  printf(\"{name} %d\\n\", (int){name});").unwrap_or(()),
            Type::Array(element, length) => {
                (0..*length).for_each(|at| self.show(&format!("{name}[{at}]"), element, out));
            }
            Type::Record(number) => {
                for member in &self.records[*number].members {
                    match &member.name {
                        Some(member_name) => self.show(&format!("{name}.{member_name}"), &member.ty, out),
                        None if member.bits.is_none() => self.show(name, &member.ty, out),
                        None => {}
                    }
                }
            }
        }
    }

    fn scalar(&mut self) -> String {
        if self.is_static {
            return self.rng.i32(-9..100).to_string();
        }
        match self.rng.u8(..6) {
            0 => {
                self.calls += 1;
                format!("f({})", self.calls)
            }
            1 => "x".into(),
            2 => "x + y".into(),
            _ => self.rng.i32(-9..100).to_string(),
        }
    }

    /// A value for all of an object of the type.
    fn value(&mut self, ty: &Type, depth: u32) -> String {
        match ty {
            Type::Scalar(..) => self.scalar(),
            Type::Array(element, length) => match **element {
                Type::Scalar("char" | "unsigned char", true) if self.rng.bool() => {
                    let text = format!("\"{}\"", &"hgfedcba"[..self.rng.usize(..=*length)]);
                    if self.rng.u8(..4) == 0 { format!("{{{text}}}") } else { text }
                }
                _ => self.braces(ty, depth),
            },
            Type::Record(_) if self.literals && self.rng.u8(..6) == 0 => {
                let literal = self.braces(ty, depth + 1);
                format!("({}){literal}", self.declared(ty, "").trim_end())
            }
            Type::Record(_) => self.braces(ty, depth),
        }
    }

    /// A list in braces.
    fn braces(&mut self, ty: &Type, depth: u32) -> String {
        let parts = match ty {
            Type::Scalar(..) => return format!("{{{}}}", self.scalar()),
            Type::Array(_, length) => *length,
            Type::Record(number) => self.records[*number].members.len(),
        };
        let mut items = Vec::new();
        // The part that comes next, where that is known.
        let mut next = Some(0);
        let most = if depth > 2 { 2 } else { parts + 3 };
        for _ in 0..self.rng.usize(..=most) {
            let (text, after) = match self.rng.u8(..5) {
                0 | 1 => match next.and_then(|at| self.positional(ty, at)) {
                    Some((part, at)) => (self.value(&part, depth + 1), Some(at + 1)),
                    None => (self.scalar(), None),
                },
                2 => (self.scalar(), None),
                _ => self.designated(ty, depth),
            };
            items.push(text);
            next = after.filter(|_| !self.is_union(ty));
        }
        format!("{{{}}}", items.join(", "))
    }

    fn is_union(&self, ty: &Type) -> bool {
        matches!(ty, Type::Record(number) if self.records[*number].union)
    }

    /// The part at or behind an index that takes a value without a designator.
    fn positional(&self, ty: &Type, from: usize) -> Option<(Type, usize)> {
        match ty {
            Type::Scalar(..) => None,
            Type::Array(element, length) => (from < *length).then(|| ((**element).clone(), from)),
            Type::Record(number) => {
                let members = self.records[*number].members.iter().enumerate().skip(from);
                let mut takes = members.filter(|(_, m)| m.name.is_some() || m.bits.is_none());
                takes.next().map(|(at, m)| (m.ty.clone(), at))
            }
        }
    }

    /// A designation with its value; the index behind it, if it has one step only.
    fn designated(&mut self, ty: &Type, depth: u32) -> (String, Option<usize>) {
        let mut text = String::new();
        let mut at = ty.clone();
        let mut after = None;
        let mut steps = 0;
        loop {
            at = match at {
                Type::Scalar(..) => break,
                Type::Array(element, length) => {
                    let low = self.rng.usize(..length);
                    let high = self.rng.usize(low..length);
                    if self.rng.u8(..3) == 0 {
                        write!(text, "[{low} ... {high}]").unwrap_or(());
                        after = Some(high + 1);
                    } else {
                        write!(text, "[{low}]").unwrap_or(());
                        after = Some(low + 1);
                    }
                    *element
                }
                Type::Record(number) => {
                    let named: Vec<usize> = (0..self.records[number].members.len())
                        .filter(|m| self.records[number].members[*m].name.is_some())
                        .collect();
                    if named.is_empty() {
                        break;
                    }
                    let member = named[self.rng.usize(..named.len())];
                    let member_of = &self.records[number].members[member];
                    write!(text, ".{}", member_of.name.as_deref().unwrap_or("")).unwrap_or(());
                    after = Some(member + 1);
                    member_of.ty.clone()
                }
            };
            steps += 1;
            if self.rng.u8(..3) == 0 {
                break;
            }
        }
        if steps == 0 {
            return (self.scalar(), None);
        }
        let value = if self.rng.u8(..5) == 0 { self.scalar() } else { self.value(&at, depth + 1) };
        // A value without braces may have gone on into an aggregate.
        let whole = matches!(at, Type::Scalar(..)) || value.starts_with(['{', '"', '(']);
        (format!("{text} = {value}"), after.filter(|_| steps == 1 && whole))
    }
}
