// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file of `--remember`: text, a line a thing, names last because only they may have spaces in them.

use std::fmt::Write;
use std::path::Path;

use clew_absint::pruning_plan::{Parts, Rounds};

use super::{Known, Left, Memory, Remembered};

/// The first line of every such file, before the version.
const MAGIC: &str = "clew remembered";

/// The version of the form.
const VERSION: u32 = 1;

/// The last line: a file without it was cut off.
const END: &str = "end\n";

const ABOUT: &str = "\
# Written by `clew check --remember`: what was of use in each function (octagons by number), and what was left open.
# The next run with the same settings goes without the others, and does the work again with all of them if that leaves
# more open. It is safe to delete this file.
";

/// What a file has; none if there is no file. An error is a sentence for the user.
pub fn load(path: &Path) -> Result<Option<Memory>, String> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return check_folder(path).map(|()| None);
        }
        Err(error) => return Err(format!("--remember: {}: {error}", path.display())),
    };
    let wrong = |what: String| format!("--remember: {}: {what}; the file is left as it is", path.display());
    let text = String::from_utf8(bytes).map_err(|_| wrong("not a file that clew wrote".to_owned()))?;
    parse(&text).map(Some).map_err(wrong)
}

/// Better said now than after hours of work.
fn check_folder(path: &Path) -> Result<(), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.is_dir() {
        true => Ok(()),
        false => Err(format!("--remember: there is no folder {}", folder.display())),
    }
}

/// Writes a file in one step: nobody sees half of it, whatever happens.
pub fn save(path: &Path, memory: &Memory) -> Result<(), String> {
    if memory.is_cut_off {
        return Ok(());
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = Path::new(&beside);
    let written = std::fs::write(beside, print(memory)).and_then(|()| std::fs::rename(beside, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(beside);
        format!("--remember: {}: {error}", path.display())
    })
}

fn print(memory: &Memory) -> String {
    let mut text = format!("{MAGIC} {VERSION}\n{ABOUT}settings {}\n", memory.settings);
    for program in &memory.programs {
        text.push_str("program\n");
        for (name, rounds) in &program.entries {
            let _ = writeln!(text, "entry {} {name}", print_rounds(*rounds));
        }
        for (name, left) in &program.left {
            let _ = writeln!(text, "left {} {} {name}", left.open, left.given);
        }
        for (name, known) in &program.functions {
            let parts = print_parts(known.parts.as_ref());
            let _ = writeln!(text, "function {:016x} {parts} {name}", known.content);
        }
    }
    text + END
}

/// The rounds that were of use, by name.
const ROUNDS: [&str; 3] = ["first", "pieces", "second"];

fn print_rounds(rounds: Rounds) -> String {
    let all = ROUNDS.into_iter().zip([rounds.first, rounds.cases, rounds.second]);
    all.filter(|(_, is_useful)| *is_useful).map(|(name, _)| name).collect::<Vec<&str>>().join(",")
}

fn parse_rounds(text: &str) -> Option<Rounds> {
    let names: Vec<&str> = text.split(',').collect();
    let has = |name: &str| names.contains(&name);
    let rounds = Rounds { first: has(ROUNDS[0]), cases: has(ROUNDS[1]), second: has(ROUNDS[2]) };
    (print_rounds(rounds) == text && (rounds.first || rounds.second)).then_some(rounds)
}

/// The word for filters among the numbers of octagons.
const FILTERS: &str = "filters";

/// `-` where a function was never entered, `none` where nothing was of use.
fn print_parts(parts: Option<&Parts>) -> String {
    let Some(Parts { octagons, filters }) = parts else { return "-".to_owned() };
    let filters = filters.then(|| FILTERS.to_owned());
    let all: Vec<String> = octagons.iter().map(u32::to_string).chain(filters).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(",") }
}

fn parse_parts(text: &str) -> Option<Option<Parts>> {
    let mut parts = Parts::default();
    match text {
        "-" => return Some(None),
        "none" => return Some(Some(parts)),
        _ => {}
    }
    for word in text.split(',') {
        match word {
            FILTERS => parts.filters = true,
            number => drop(parts.octagons.insert(number.parse().ok()?)),
        }
    }
    Some(Some(parts))
}

fn parse(text: &str) -> Result<Memory, String> {
    let version = text.lines().next().and_then(|line| line.strip_prefix(MAGIC)?.strip_prefix(' '));
    match version {
        None => return Err("not a file that clew wrote".to_owned()),
        Some(version) if version != VERSION.to_string() => {
            return Err(format!("written by another clew, form {version} where this one writes {VERSION}"));
        }
        Some(_) => {}
    }
    let text = text.strip_suffix(END).ok_or("its end is missing")?;
    let mut memory = Memory::default();
    for (number, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.starts_with('#')) {
        let is_known = parse_line(&mut memory, line).is_some();
        if !is_known {
            return Err(format!("line {} is broken", number + 1));
        }
    }
    Ok(memory)
}

fn parse_line(memory: &mut Memory, line: &str) -> Option<()> {
    if line == "program" {
        memory.programs.push(Remembered::default());
        return Some(());
    }
    let (kind, rest) = line.split_once(' ')?;
    if kind == "settings" {
        memory.settings = rest.to_owned();
        return Some(());
    }
    let program = memory.programs.last_mut()?;
    let (first, rest) = rest.split_once(' ')?;
    match kind {
        "entry" => drop(program.entries.insert(rest.to_owned(), parse_rounds(first)?)),
        "left" => {
            let (given, name) = rest.split_once(' ')?;
            let left = Left { open: first.parse().ok()?, given: given.parse().ok()? };
            program.left.insert(name.to_owned(), left);
        }
        "function" => {
            let (parts, name) = rest.split_once(' ')?;
            let content = u64::from_str_radix(first, 16).ok()?;
            let known = Known { content, parts: parse_parts(parts)? };
            program.functions.insert(name.to_owned(), known);
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn memory() -> Memory {
        let mut program = Remembered::default();
        program.entries.insert("main".to_owned(), Rounds { first: false, cases: false, second: true });
        program.entries.insert("other".to_owned(), Rounds::ALL);
        program.left.insert("f".to_owned(), Left { open: 3, given: 1 });
        let known = |parts| Known { content: 0xfeed, parts };
        program.functions.insert("f".to_owned(), known(None));
        program.functions.insert("a file.c:g".to_owned(), known(Some(Parts::default())));
        program
            .functions
            .insert("h".to_owned(), known(Some(Parts { octagons: BTreeSet::from([0, 7]), filters: true })));
        Memory {
            settings: "level 2, x".to_owned(),
            programs: vec![program.clone(), program],
            is_cut_off: false,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(parse(&print(&memory())), Ok(memory()));
    }

    #[test]
    fn what_clew_did_not_write_is_refused() {
        let whole = print(&memory());
        let other = whole.replace("clew remembered 1", "clew remembered 2");
        assert!(parse(&other).is_err_and(|why| why.contains("another clew")));
        assert!(parse("").is_err_and(|why| why.contains("not a file")));
        assert!(parse("int main(void) { return 0; }\n").is_err_and(|why| why.contains("not a file")));
        for broken in ["entry third main", "function xyz - f", "left 1 f", "nonsense", "entry pieces main"] {
            let text = whole.replace("end\n", &format!("{broken}\nend\n"));
            assert!(parse(&text).is_err_and(|why| why.contains("is broken")), "{broken}");
        }
    }

    #[test]
    fn a_file_that_was_cut_off_is_refused() {
        let whole = print(&memory());
        assert!((0..whole.len()).all(|end| parse(&whole[..end]).is_err()));
    }
}
