// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words out of command strings and response files.

use std::path::Path;

use crate::files::Files;

/// How deep response files may name response files.
const MAX_RESPONSE_DEPTH: u32 = 16;

/// Whose quoting rules a string follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    /// A POSIX shell's: nothing is special between single quotes.
    Shell,
    /// A response file's: a backslash escapes everywhere.
    Response,
}

/// The words of a shell command, as in the `command` of compile_commands.json.
pub fn shell_words(text: &str) -> Vec<String> {
    words(text, Quoting::Shell)
}

/// Replaces every `@file` by the words in that file. One that cannot be read stays, as gcc has it.
pub fn expand_responses(args: &[String], directory: Option<&Path>, files: &dyn Files) -> Vec<String> {
    let mut out = Vec::with_capacity(args.len());
    for arg in args {
        expand(arg, directory, files, 0, &mut out);
    }
    out
}

fn expand(arg: &str, directory: Option<&Path>, files: &dyn Files, depth: u32, out: &mut Vec<String>) {
    let text = arg.strip_prefix('@').filter(|_| depth < MAX_RESPONSE_DEPTH).and_then(|name| {
        let path = directory.map_or_else(|| Path::new(name).to_owned(), |d| d.join(name));
        files.read(&path).ok()
    });
    match text {
        None => out.push(arg.to_owned()),
        Some(text) => {
            for word in words(&String::from_utf8_lossy(&text), Quoting::Response) {
                expand(&word, directory, files, depth + 1, out);
            }
        }
    }
}

fn words(text: &str, quoting: Quoting) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some('\''), '\\') if quoting == Quoting::Shell => word.get_or_insert_default().push('\\'),
            (Some('"'), '\\') if quoting == Quoting::Shell => match chars.peek() {
                Some('\n') => drop(chars.next()),
                Some('"' | '\\' | '$' | '`') => word.get_or_insert_default().extend(chars.next()),
                _ => word.get_or_insert_default().push('\\'),
            },
            (_, '\\') => match chars.next() {
                Some('\n') if quoting == Quoting::Shell => {}
                next => word.get_or_insert_default().extend(next),
            },
            (Some(q), c) if q == c => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_ascii_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::DiskFiles;

    #[test]
    fn shell_quoting_is_undone() {
        let line = r#"gcc -DA="x y" '-DB="q\n"' -DC=\"s\" "" a\ b.c "k\"\d""#;
        let expected = ["gcc", "-DA=x y", r#"-DB="q\n""#, "-DC=\"s\"", "", "a b.c", r#"k"\d"#];
        assert_eq!(shell_words(line), expected);
    }

    #[test]
    fn response_files_nest_and_a_missing_one_stays() {
        let mut files = DiskFiles::new();
        files.overlay("/r/a.rsp", *b"-DX='a b' @b.rsp\n-O2");
        files.overlay("/r/b.rsp", *b"-I inc\\ dir");
        files.overlay("/r/loop.rsp", *b"@loop.rsp");
        let args = ["@a.rsp", "@missing"].map(String::from);
        let expanded = expand_responses(&args, Some(Path::new("/r")), &files);
        assert_eq!(expanded, ["-DX=a b", "-I", "inc dir", "-O2", "@missing"]);
        let looped = expand_responses(&["@loop.rsp".to_owned()], Some(Path::new("/r")), &files);
        assert_eq!(looped, ["@loop.rsp"]);
    }
}
