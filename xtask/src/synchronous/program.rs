// SPDX-License-Identifier: MIT OR Apache-2.0
//! Puts a program together from blocks: groups of at most 200 lines with every operator once, two groups a module, and a
//! main loop over all modules.

use fastrand::Rng;

use super::blocks::{BLOCKS, Block, INPUTS, Kind};
use super::library;

/// Groups of blocks in one file.
const GROUPS: usize = 2;

/// How many of the latest signals a block may be wired to.
const NEAR: usize = 12;

/// Outputs of a group that other modules see.
const EXPORTED: [(&str, Kind); 3] = [("voted", Kind::Float), ("mean", Kind::Int), ("alert", Kind::Bool)];

/// A file of a program.
pub struct File {
    /// Its name.
    pub name: String,
    /// Its lines, without line ends.
    pub lines: Vec<String>,
}

impl File {
    fn new(name: &str, text: &str) -> File {
        File { name: name.to_owned(), lines: text.lines().map(str::to_owned).collect() }
    }

    /// Its text.
    pub fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// A place where a bug can be planted.
#[derive(Clone, Debug)]
pub struct Bug {
    /// The file, by its place among the program's.
    pub file: usize,
    /// The check that a run violates.
    pub check: String,
    /// The line that is changed, from 1, and its new text.
    pub edit: (usize, String),
    /// The line where a run goes wrong, from 1.
    pub line: usize,
}

/// A program.
pub struct Program {
    /// What verifiers read; the last one is the main file.
    pub files: Vec<File>,
    /// The inputs for verifiers and the inputs at random: one of the two belongs to the program.
    pub inputs: File,
    /// See `inputs`.
    pub simulation: File,
    /// All places for bugs.
    pub places: Vec<Bug>,
    /// Variables with static storage that are not constant.
    pub globals: usize,
}

#[derive(Clone)]
struct Signal {
    name: String,
    kind: Kind,
}

/// A program of about so many lines.
pub fn generate(lines: usize, seed: u64) -> Program {
    let mut random = Rng::with_seed(seed);
    let mut program = Program {
        files: vec![File::new("system.h", library::HEADER), File::new("operators.c", library::OPERATORS)],
        inputs: File::new("inputs.c", library::NONDETERMINISTIC),
        simulation: File::new("simulation.c", library::RANDOM),
        places: Vec::new(),
        globals: 0,
    };
    let mut written: usize = program.files.iter().map(|file| file.lines.len()).sum();
    let (mut modules, mut ports) = (0, Vec::new());
    while modules == 0 || written < lines {
        // The last module of a program may be a half one.
        let groups = if lines.saturating_sub(written) < 220 { 1 } else { GROUPS };
        let mut module = Module::new(modules, &mut random, program.files.len());
        (0..groups).for_each(|group| module.group(group));
        let (header, file) = module.finish();
        written += header.lines.len() + file.lines.len() + 3;
        program.globals += module.globals;
        ports.append(&mut module.ports);
        program.places.append(&mut module.places);
        program.files.extend([file, header]);
        modules += 1;
    }
    program.files.push(main_file(modules));
    simulate(&mut program.simulation, &ports);
    program
}

impl Program {
    /// Which bugs to plant: kinds of bugs in turn, spread over the program.
    pub fn choose(&self, count: usize, seed: u64) -> Vec<Bug> {
        let mut random = Rng::with_seed(seed ^ 0xb06);
        let mut places = self.places.clone();
        random.shuffle(&mut places);
        let mut chosen: Vec<Bug> = Vec::new();
        let key =
            |bug: &Bug| (bug.check.clone(), bug.edit.1.split('_').next().unwrap_or_default().to_owned());
        while chosen.len() < count && !places.is_empty() {
            let uses = |bug: &Bug| {
                let like = chosen.iter().filter(|other| key(other) == key(bug)).count();
                (like, chosen.iter().filter(|other| other.file == bug.file).count())
            };
            let Some(best) = (0..places.len()).min_by_key(|&i| uses(&places[i])) else { break };
            chosen.push(places.swap_remove(best));
        }
        chosen.sort_by_key(|bug| (bug.file, bug.line));
        chosen
    }

    /// Plants a bug.
    pub fn plant(&mut self, bug: &Bug) {
        self.files[bug.file].lines[bug.edit.0 - 1].clone_from(&bug.edit.1);
    }

    /// All lines that verifiers read.
    pub fn lines(&self) -> usize {
        self.files.iter().map(|file| file.lines.len()).sum::<usize>() + self.inputs.lines.len()
    }
}

/// A file that is being written.
struct Module<'r> {
    number: usize,
    /// Where the file will stand among the program's.
    file: usize,
    random: &'r mut Rng,
    lines: Vec<String>,
    init: Vec<String>,
    step: Vec<String>,
    signals: Vec<Signal>,
    /// Inputs of the group.
    inputs: Vec<Signal>,
    globals: usize,
    ports: Vec<String>,
    places: Vec<Bug>,
}

impl<'r> Module<'r> {
    fn new(number: usize, random: &'r mut Rng, file: usize) -> Module<'r> {
        let mut lines =
            vec!["#include \"system.h\"".to_owned(), format!("#include \"module_{number:03}.h\"")];
        let mut signals = Vec::new();
        if number > 0 {
            // Signals of the module before, and of one long before.
            let mut from = vec![number - 1, random.usize(..number)];
            from.dedup();
            for other in from {
                lines.push(format!("#include \"module_{other:03}.h\""));
                signals.extend(EXPORTED.iter().map(|(name, kind)| Signal {
                    name: format!("{name}_{}", block_number(other, 0, block_of(name))),
                    kind: *kind,
                }));
            }
        }
        Module {
            number,
            file,
            random,
            lines,
            init: Vec::new(),
            step: Vec::new(),
            signals,
            inputs: Vec::new(),
            globals: 0,
            ports: Vec::new(),
            places: Vec::new(),
        }
    }

    /// All operators once, in any order.
    fn group(&mut self, group: usize) {
        let n = block_number(self.number, group, 0);
        let input = |(name, kind): &(&str, Kind)| Signal { name: format!("{name}_{n}"), kind: *kind };
        self.inputs = INPUTS.outputs.iter().map(input).collect();
        self.ports.push(format!("port_{n}"));
        self.block(&INPUTS, &n);
        let mut order: Vec<usize> = (0..BLOCKS.len()).collect();
        self.random.shuffle(&mut order);
        for index in order {
            self.block(&BLOCKS[index], &block_number(self.number, group, index + 1));
        }
    }

    fn block(&mut self, block: &Block, n: &str) {
        let wiring = self.wiring(n);
        let fill = |text: &str| {
            wiring.iter().fold(text.to_owned(), |text, (variable, value)| text.replace(variable, value))
        };
        self.lines.push(String::new());
        let first = self.lines.len();
        let (mut bug, mut here) = (None, None);
        for line in block.text.lines() {
            let (text, mark) = line.split_once(" //@").unwrap_or((line, ""));
            let text = fill(text);
            self.globals += usize::from(is_variable(&text));
            self.lines.push(self.exported(text, n));
            if mark == "here" {
                here = Some(self.lines.len());
            } else if let Some((check, new)) = mark.strip_prefix("bug ").and_then(|m| m.split_once(": ")) {
                let indent: String = line.chars().take_while(|c| *c == ' ').collect();
                bug = Some((self.lines.len(), check.to_owned(), indent + &fill(new)));
            }
        }
        debug_assert!(self.lines.len() > first);
        if let Some((line, check, text)) = bug {
            let place = Bug { file: self.file, check, edit: (line, text), line: here.unwrap_or(line) };
            self.places.push(place);
        }
        self.init.extend(block.init.lines().map(fill));
        self.step.push(format!("    {}_{n}();", block.name));
        self.signals.extend(
            block.outputs.iter().map(|(name, kind)| Signal { name: format!("{name}_{n}"), kind: *kind }),
        );
    }

    /// The values of a template's variables.
    fn wiring(&mut self, n: &str) -> Vec<(&'static str, String)> {
        let mut input = |kind: Kind| {
            let inputs: Vec<&Signal> = self.inputs.iter().filter(|s| s.kind == kind).collect();
            inputs[self.random.usize(..inputs.len())].name.clone()
        };
        let (u, k, e, p) = (input(Kind::Float), input(Kind::Int), input(Kind::Bool), input(Kind::Byte));
        // Two signals of one block are two: a test of a signal against itself would leave dead code.
        let mut near = |kind: Kind, taken: &[&String]| {
            let fits = |s: &&Signal| s.kind == kind && !taken.contains(&&s.name);
            let signals: Vec<&Signal> = self.signals.iter().rev().filter(fits).take(NEAR).collect();
            if signals.is_empty() {
                "0".to_owned()
            } else {
                signals[self.random.usize(..signals.len())].name.clone()
            }
        };
        let (j, f) = (near(Kind::Int, &[&k]), near(Kind::Bool, &[&e]));
        let x = near(Kind::Float, &[]);
        let y = near(Kind::Float, &[&x]);
        let z = near(Kind::Float, &[&x, &y]);
        let mut digit = || self.random.u8(1..=9).to_string();
        let (a, b, c) = (digit(), digit(), digit());
        let names = ["$x", "$y", "$z", "$j", "$f", "$u", "$k", "$e", "$p", "$A", "$B", "$C", "$n"];
        names.into_iter().zip([x, y, z, j, f, u, k, e, p, a, b, c, n.to_owned()]).collect()
    }

    /// The definition of an exported signal loses its `static`.
    fn exported(&self, line: String, n: &str) -> String {
        let is_exported = n == block_number(self.number, 0, block_of_line(&line));
        match line.strip_prefix("static ") {
            Some(rest) if is_exported && exported_name(&line).is_some() => rest.to_owned(),
            _ => line,
        }
    }

    /// The header and the file.
    fn finish(&mut self) -> (File, File) {
        let number = self.number;
        self.lines.push(String::new());
        for (name, body) in [("init", &self.init), ("step", &self.step)] {
            self.lines.extend([format!("void {name}_{number:03}(void)"), "{".to_owned()]);
            self.lines.extend(body.iter().cloned());
            self.lines.push("}".to_owned());
            self.lines.push(String::new());
        }
        self.lines.pop();
        let mut header =
            vec![format!("void init_{number:03}(void);"), format!("void step_{number:03}(void);")];
        for (name, kind) in EXPORTED {
            let ty = if kind == Kind::Float { "float" } else { "int" };
            header.push(format!("extern {ty} {name}_{};", block_number(number, 0, block_of(name))));
        }
        let lines = std::mem::take(&mut self.lines);
        (
            File { name: format!("module_{number:03}.h"), lines: header },
            File { name: format!("module_{number:03}.c"), lines },
        )
    }
}

/// The number of a block, which names end in: module, group, place of its template.
fn block_number(module: usize, group: usize, block: usize) -> String {
    format!("{module:03}_{}{block:02}", (b'a' + group as u8) as char)
}

/// The place of the template that makes a signal.
fn block_of(signal: &str) -> usize {
    BLOCKS.iter().position(|block| block.outputs.iter().any(|(name, _)| *name == signal)).map_or(0, |i| i + 1)
}

fn exported_name(line: &str) -> Option<&'static str> {
    let name = line.strip_suffix(';')?.rsplit(' ').next()?.split('_').next()?;
    EXPORTED.iter().map(|(exported, _)| *exported).find(|exported| *exported == name)
}

fn block_of_line(line: &str) -> usize {
    exported_name(line).map_or(0, block_of)
}

/// Whether a line defines a variable with static storage that is not constant.
fn is_variable(line: &str) -> bool {
    (line.starts_with("static ") || line.starts_with("volatile "))
        && !line.contains('(')
        && !line.starts_with("static const ")
}

fn main_file(modules: usize) -> File {
    let mut lines = vec!["#include \"system.h\"".to_owned()];
    lines.extend((0..modules).map(|m| format!("#include \"module_{m:03}.h\"")));
    lines.extend(["", "int main(void)", "{"].map(str::to_owned));
    lines.extend((0..modules).map(|m| format!("    init_{m:03}();")));
    lines.push("    for (;;) {".to_owned());
    lines.extend((0..modules).map(|m| format!("        step_{m:03}();")));
    lines.extend(["        __clew_tick();", "    }", "}"].map(str::to_owned));
    File { name: "main.c".to_owned(), lines }
}

/// The tick of a simulation: the ports get new values, and after the last tick the program ends.
fn simulate(file: &mut File, ports: &[String]) {
    file.lines.push(String::new());
    file.lines.extend(ports.iter().map(|port| format!("extern volatile unsigned char {port};")));
    let head = ["", "void __clew_tick(void)", "{", "    static long ticks;"];
    file.lines.extend(head.map(str::to_owned));
    file.lines.extend(ports.iter().map(|port| format!("    {port} = (unsigned char)draw();")));
    let end = [
        "    ticks = ticks + 1;",
        "    if (ticks == 10000) {",
        "        puts(\"done\");",
        "        exit(0);",
        "    }",
        "}",
    ];
    file.lines.extend(end.map(str::to_owned));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_every_operator_in_200_lines() {
        let program = generate(3000, 7);
        for file in program.files.iter().filter(|f| f.name.starts_with("module") && f.name.ends_with(".c")) {
            for group in ["a", "b"] {
                let number = &file.name["module_".len()..][..3];
                let mut places: Vec<usize> = Vec::new();
                for (index, block) in BLOCKS.iter().enumerate() {
                    let head = format!("static void {}_{number}_{group}{:02}(void)", block.name, index + 1);
                    places.extend(file.lines.iter().position(|line| *line == head));
                }
                let (first, last) = (places.iter().min(), places.iter().max());
                let Some((first, last)) = first.zip(last) else { continue };
                assert_eq!(places.len(), BLOCKS.len());
                assert!(last - first < 200, "{} {group}", file.name);
            }
        }
    }

    #[test]
    fn bugs_change_a_line_and_nothing_else() {
        let (clean, mut buggy) = (generate(2000, 3), generate(2000, 3));
        let bugs = buggy.choose(8, 3);
        assert_eq!(bugs.len(), 8);
        bugs.iter().for_each(|bug| buggy.plant(bug));
        let differ = |a: &File, b: &File| a.lines.iter().zip(&b.lines).filter(|(a, b)| a != b).count();
        assert_eq!(clean.files.iter().zip(&buggy.files).map(|(a, b)| differ(a, b)).sum::<usize>(), 8);
    }

    #[test]
    fn globals_are_linear_in_size() {
        let per_line = |lines| generate(lines, 1).globals as f64 / lines as f64;
        assert!(per_line(1000) > 0.08 && per_line(20000) > 0.08);
    }
}
