// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<getopt.h>`: options of a command line, permuting it and complaining as glibc does.

use super::Table;
use super::context::{Answer, INT, int};
use super::environment;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("getopt", |c| run(c, Longs::None)),
    ("__posix_getopt", |c| run(c, Longs::None)),
    ("getopt_long", |c| run(c, Longs::Double)),
    ("getopt_long_only", |c| run(c, Longs::Single)),
];

/// Which long options there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Longs {
    /// None.
    None,
    /// After `--`.
    Double,
    /// After `-` too.
    Single,
}

/// What becomes of arguments that are no options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Ordering {
    /// The first one ends the options.
    Require,
    /// They are moved behind the options.
    #[default]
    Permute,
    /// Each is handed out as if it were an argument of the option `1`.
    InOrder,
}

/// Where `getopt` stands between calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    started: bool,
    ordering: Ordering,
    /// Arguments passed over that are no options: from here
    first_other: i64,
    /// to here.
    last_other: i64,
    /// The next letter inside an argument; null or at its NUL when a new argument is to be taken.
    next: Pointer,
}

/// One call.
struct Scan<'a, 'm, 'p> {
    ctx: &'a mut NativeCtx<'m, 'p>,
    count: i64,
    arguments: Pointer,
    letters: Vec<u8>,
    complain: bool,
    index: i64,
    progress: Progress,
}

/// A `struct option` of the program.
#[derive(Clone)]
struct LongOption {
    name: Vec<u8>,
    has_argument: i32,
    flag: Pointer,
    value: i32,
}

fn run(ctx: Ctx, longs: Longs) -> Answer {
    let count = i64::from(ctx.i32(0));
    if count < 1 {
        return int(-1);
    }
    let arguments = ctx.ptr(1);
    let mut letters = ctx.c_string(ctx.ptr(2), 2)?;
    let index_place = ctx.library_variable("optind");
    let mut index = ctx.read_int(index_place, INT, 0)? as i64;
    let mut progress = ctx.state().getopt;
    if index == 0 || !progress.started {
        let strict = environment::value(ctx, "POSIXLY_CORRECT").is_some();
        index = index.max(1);
        let ordering = match letters.first() {
            Some(b'-') => Ordering::InOrder,
            Some(b'+') => Ordering::Require,
            _ if strict || ctx.name() == "__posix_getopt" => Ordering::Require,
            _ => Ordering::Permute,
        };
        progress =
            Progress { started: true, ordering, first_other: index, last_other: index, next: Pointer::NULL };
    }
    if matches!(letters.first(), Some(b'-' | b'+')) {
        letters.remove(0);
    }
    let errors = ctx.library_variable("opterr");
    let complain = ctx.read_int(errors, INT, 0)? != 0 && letters.first() != Some(&b':');
    let place = ctx.library_variable("optarg");
    ctx.memory().write_pointer(place, Pointer::NULL);
    let mut scan = Scan { ctx, count, arguments, letters, complain, index, progress };
    let answer = scan.next(longs)?;
    let Scan { ctx, index, progress, .. } = scan;
    ctx.state().getopt = progress;
    ctx.memory().write(index_place, &(index as i32).to_le_bytes());
    int(answer)
}

impl Scan<'_, '_, '_> {
    fn argument(&mut self, index: i64) -> Result<Pointer, Stop> {
        self.ctx.read_ptr(self.arguments.add((index as u64).wrapping_mul(8)), 1)
    }

    fn text(&mut self, place: Pointer) -> Result<Vec<u8>, Stop> {
        self.ctx.c_string(place, 1)
    }

    fn set_optarg(&mut self, value: Pointer) {
        let place = self.ctx.library_variable("optarg");
        self.ctx.memory().write_pointer(place, value);
    }

    fn set_optopt(&mut self, value: i32) {
        let place = self.ctx.library_variable("optopt");
        self.ctx.memory().write(place, &value.to_le_bytes());
    }

    /// Prints a complaint that starts with the program's name.
    fn say(&mut self, message: &[u8]) -> Result<(), Stop> {
        if !self.complain {
            return Ok(());
        }
        let program = self.argument(0)?;
        let mut line = self.text(program)?;
        line.extend_from_slice(b": ");
        line.extend_from_slice(message);
        line.push(b'\n');
        if let Some(file) = self.ctx.open_standard(2) {
            let _ = self.ctx.write_stream(file, &line);
        }
        Ok(())
    }

    fn is_other(&mut self, index: i64) -> Result<bool, Stop> {
        let place = self.argument(index)?;
        let text = self.text(place)?;
        Ok(text.first() != Some(&b'-') || text.len() == 1)
    }

    /// Moves the arguments passed over behind the options found since.
    fn exchange(&mut self) -> Result<(), Stop> {
        let Progress { first_other, last_other, .. } = self.progress;
        let mut moved = Vec::new();
        for index in (last_other..self.index).chain(first_other..last_other) {
            moved.push(self.argument(index)?);
        }
        for (offset, value) in moved.into_iter().enumerate() {
            let place = self.arguments.add((first_other as u64).wrapping_add(offset as u64).wrapping_mul(8));
            self.ctx.write_ptr(place, value, 1)?;
        }
        self.progress.first_other += self.index - last_other;
        self.progress.last_other = self.index;
        Ok(())
    }

    fn next(&mut self, longs: Longs) -> Result<i32, Stop> {
        let fresh = self.progress.next.is_null() || self.text(self.progress.next)?.is_empty();
        if fresh && let Some(answer) = self.take_argument(longs)? {
            return Ok(answer);
        }
        self.take_letter()
    }

    /// Finds the next argument with options. Some: the call has its answer.
    fn take_argument(&mut self, longs: Longs) -> Result<Option<i32>, Stop> {
        self.progress.last_other = self.progress.last_other.min(self.index);
        self.progress.first_other = self.progress.first_other.min(self.index);
        if self.progress.ordering == Ordering::Permute {
            self.pass_others()?;
            while self.index < self.count && self.is_other(self.index)? {
                self.index += 1;
            }
            self.progress.last_other = self.index;
        }
        if self.index < self.count {
            let place = self.argument(self.index)?;
            if self.text(place)? == b"--" {
                self.index += 1;
                if self.progress.first_other == self.progress.last_other {
                    self.progress.first_other = self.index;
                } else {
                    self.pass_others()?;
                }
                self.progress.last_other = self.count;
                self.index = self.count;
            }
        }
        if self.index >= self.count {
            if self.progress.first_other != self.progress.last_other {
                self.index = self.progress.first_other;
            }
            return Ok(Some(-1));
        }
        let place = self.argument(self.index)?;
        if self.is_other(self.index)? {
            if self.progress.ordering == Ordering::Require {
                return Ok(Some(-1));
            }
            self.index += 1;
            self.set_optarg(place);
            return Ok(Some(1));
        }
        let text = self.text(place)?;
        if longs != Longs::None {
            if text[1] == b'-' {
                self.progress.next = place.add(2);
                return self.long_option(longs, b"--");
            }
            if longs == Longs::Single && (text.len() > 2 || !self.letters.contains(&text[1])) {
                self.progress.next = place.add(1);
                if let Some(answer) = self.long_option(longs, b"-")? {
                    return Ok(Some(answer));
                }
            }
        }
        self.progress.next = place.add(1);
        Ok(None)
    }

    fn pass_others(&mut self) -> Result<(), Stop> {
        let Progress { first_other, last_other, .. } = self.progress;
        if first_other != last_other && last_other != self.index {
            return self.exchange();
        }
        if last_other != self.index {
            self.progress.first_other = self.index;
        }
        Ok(())
    }

    fn take_letter(&mut self) -> Result<i32, Stop> {
        let rest = self.text(self.progress.next)?;
        let letter = rest.first().copied().unwrap_or(0);
        self.progress.next = self.progress.next.add(1);
        let at_end = rest.len() <= 1;
        if at_end {
            self.index += 1;
        }
        let found = self.letters.iter().position(|l| *l == letter).filter(|_| !b":;".contains(&letter));
        let Some(found) = found else {
            self.say(&[b"invalid option -- '", &[letter][..], b"'"].concat())?;
            self.set_optopt(i32::from(letter));
            return Ok(i32::from(b'?'));
        };
        let wants = self.letters.get(found + 1) == Some(&b':');
        if !wants {
            return Ok(i32::from(letter));
        }
        let optional = self.letters.get(found + 2) == Some(&b':');
        let mut answer = letter;
        if !at_end {
            self.set_optarg(self.progress.next);
            self.index += 1;
        } else if !optional && self.index >= self.count {
            self.say(&[b"option requires an argument -- '", &[letter][..], b"'"].concat())?;
            self.set_optopt(i32::from(letter));
            answer = if self.letters.first() == Some(&b':') { b':' } else { b'?' };
        } else if !optional {
            let place = self.argument(self.index)?;
            self.set_optarg(place);
            self.index += 1;
        }
        self.progress.next = Pointer::NULL;
        Ok(i32::from(answer))
    }

    fn options(&mut self) -> Result<Vec<LongOption>, Stop> {
        let mut all = Vec::new();
        let mut place = self.ctx.ptr(3);
        while !place.is_null() {
            let name = self.ctx.read_ptr(place, 3)?;
            if name.is_null() {
                break;
            }
            all.push(LongOption {
                name: self.ctx.c_string(name, 3)?,
                has_argument: self.ctx.read_int(place.add(8), INT, 3)? as i32,
                flag: self.ctx.read_ptr(place.add(16), 3)?,
                value: self.ctx.read_int(place.add(24), INT, 3)? as i32,
            });
            place = place.add(32);
        }
        Ok(all)
    }

    /// The option that a name or the start of one means.
    fn find(&mut self, longs: Longs, name: &[u8], all: &[LongOption]) -> Result<usize, Vec<usize>> {
        if let Some(exact) = all.iter().position(|o| o.name == name) {
            return Ok(exact);
        }
        let starts: Vec<usize> = (0..all.len()).filter(|i| all[*i].name.starts_with(name)).collect();
        let Some(&first) = starts.first() else { return Err(Vec::new()) };
        let same = |i: &usize| {
            let (a, b) = (&all[first], &all[*i]);
            a.has_argument == b.has_argument && a.flag == b.flag && a.value == b.value
        };
        let ambiguous = starts.len() > 1 && (longs == Longs::Single || !starts.iter().all(same));
        if ambiguous { Err(starts) } else { Ok(first) }
    }

    /// A long option at `progress.next`. None: it may be a group of letters after all.
    fn long_option(&mut self, longs: Longs, prefix: &[u8]) -> Result<Option<i32>, Stop> {
        let start = self.progress.next;
        let text = self.text(start)?;
        let name_end = text.iter().position(|b| *b == b'=').unwrap_or(text.len());
        let all = self.options()?;
        let question = Some(i32::from(b'?'));
        let found = match self.find(longs, &text[..name_end], &all) {
            Ok(found) => found,
            Err(starts) if starts.is_empty() => {
                let known_letter = text.first().is_some_and(|l| self.letters.contains(l));
                if longs == Longs::Single && prefix == b"-" && known_letter {
                    return Ok(None);
                }
                self.say(&[b"unrecognized option '", prefix, &text, b"'"].concat())?;
                self.progress.next = Pointer::NULL;
                self.index += 1;
                self.set_optopt(0);
                return Ok(question);
            }
            Err(starts) => {
                let mut message =
                    [b"option '", prefix, &text[..], b"' is ambiguous; possibilities:"].concat();
                for index in starts {
                    message.extend([b" '", prefix, &all[index].name[..], b"'"].concat());
                }
                self.say(&message)?;
                self.progress.next = start.add(text.len() as u64);
                self.index += 1;
                self.set_optopt(0);
                return Ok(question);
            }
        };
        self.accept(found, &all[found].clone(), (prefix, start, name_end < text.len(), name_end)).map(Some)
    }

    /// Takes the argument of a long option, if it has one, and stores its value.
    fn accept(
        &mut self,
        number: usize,
        option: &LongOption,
        (prefix, start, has_value, name_end): (&[u8], Pointer, bool, usize),
    ) -> Result<i32, Stop> {
        self.index += 1;
        self.progress.next = Pointer::NULL;
        let quoted = [b"option '", prefix, &option.name[..], b"'"].concat();
        if has_value && option.has_argument == 0 {
            self.say(&[&quoted[..], b" doesn't allow an argument"].concat())?;
            self.set_optopt(option.value);
            return Ok(i32::from(b'?'));
        }
        if has_value {
            self.set_optarg(start.add(name_end as u64 + 1));
        } else if option.has_argument == 1 {
            if self.index >= self.count {
                self.say(&[&quoted[..], b" requires an argument"].concat())?;
                self.set_optopt(option.value);
                let colon = self.letters.first() == Some(&b':');
                return Ok(i32::from(if colon { b':' } else { b'?' }));
            }
            let place = self.argument(self.index)?;
            self.set_optarg(place);
            self.index += 1;
        }
        let index_place = self.ctx.ptr(4);
        if !index_place.is_null() {
            self.ctx.write_int(index_place, INT, number as i128, 4)?;
        }
        if option.flag.is_null() {
            return Ok(option.value);
        }
        self.ctx.write_int(option.flag, INT, i128::from(option.value), 3)?;
        Ok(0)
    }
}
