// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slices of alarms are judged by freezing: what is not in the slice of an open obligation is not what it comes from.
//!
//! For each open obligation of a random program, everything outside its slice is made as certain as can be: a
//! statement that gives an integer gives one fixed number of its range, the least or the largest. Operands where the
//! slice stopped may still be anything in the range that it names, and tests outside the slice go both ways. If the
//! obligation is then proved, the slice has left out something that it came from.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use clew_absint::{Analysis, Outcome, Site, Slice, Subject};
use clew_base::stack::try_with_large_stack;
use clew_frontend::library::{Linked, with_models};
use clew_ir::syntax::Program;

use super::Programs;
use super::absint;
use super::frozen::{End, Freezer};
use super::source::Reader;
use crate::csmith::{Seeds, parse_seeds};
use crate::jobs;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// Seeds: `7`, `1..=30` or `1..31`.
    #[arg(long, default_value = "1..=40", value_parser = parse_seeds)]
    seeds: Seeds,
    /// Which programs.
    #[arg(long, value_enum, default_value_t = Programs::Generated)]
    programs: Programs,
    /// A file to judge in place of random programs.
    #[arg(long)]
    file: Option<std::path::PathBuf>,
    /// Slices of one program that are judged, spread over it.
    #[arg(long, default_value_t = 6)]
    most: usize,
    /// Seconds for an analysis.
    #[arg(long, default_value_t = 20)]
    limit: u64,
    /// Programs at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
}

/// What was seen.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Open obligations with a slice.
    pub slices: usize,
    /// Those that were frozen.
    pub judged: usize,
    /// Those that were cut short.
    pub cut: usize,
    /// Lines of all slices.
    pub lines: usize,
    /// What was left out, in words.
    pub faults: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.slices += other.slices;
        self.judged += other.judged;
        self.cut += other.cut;
        self.lines += other.lines;
        self.faults.extend(other.faults.iter().cloned());
    }
}

/// Runs the command.
pub fn run(options: &Options) -> Result<bool> {
    let reader = Reader::new()?;
    let seeds: Vec<u64> = match options.file {
        Some(_) => vec![0],
        None => options.seeds.0.clone().collect(),
    };
    let start = Instant::now();
    let one = |&seed: &u64| -> Result<Tally> {
        let program = match &options.file {
            Some(file) => reader.program(file, std::fs::read(file)?)?,
            None => {
                let file = format!("{}-{seed}.c", options.programs.name());
                reader.program(Path::new(&file), options.programs.text(seed)?.into_bytes())?
            }
        };
        judge(program, options.most, Duration::from_secs(options.limit))
    };
    let results = jobs::for_each(options.jobs, &seeds, one, |seed, result| match result {
        Ok(tally) => tally.faults.iter().for_each(|fault| println!("seed {seed}: {fault}")),
        Err(error) => println!("seed {seed}: FAILED: {error:#}"),
    });
    let mut all = Tally::default();
    results.iter().flatten().for_each(|tally| all.add(tally));
    println!(
        "{} programs, {} open obligations with a slice of {:.1} lines, {} cut; {} frozen, {} had left something out; \
         {:.1} s",
        seeds.len(),
        all.slices,
        all.lines as f64 / all.slices.max(1) as f64,
        all.cut,
        all.judged,
        all.faults.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(all.faults.is_empty() && results.iter().all(Result::is_ok))
}

/// Judges the slices of a program.
pub fn judge(program: Program, most: usize, limit: Duration) -> Result<Tally> {
    let linked = with_models(program);
    let all = |subject: &Subject| subject.call.is_none();
    let analysis = analyse(&linked, &linked.program, Some(&all), limit)?;
    let mut tally = Tally::default();
    if analysis.truncated || analysis.failed.is_some() || !analysis.unsupported.is_empty() {
        return Ok(tally);
    }
    tally.slices = analysis.slices.len();
    tally.cut = analysis.slices.values().filter(|slice| slice.is_cut).count();
    tally.lines = analysis.slices.values().map(|slice| slice.steps.len()).sum();
    let whole: Vec<(&Subject, &Slice)> = analysis.slices.iter().filter(|(_, slice)| !slice.is_cut).collect();
    let stride = whole.len().div_ceil(most.max(1)).max(1);
    for (subject, slice) in whole.into_iter().step_by(stride) {
        tally.judged += 1;
        for end in [End::Least, End::Largest] {
            if is_proved_frozen(&linked, subject, slice, &analysis.numbers, end, limit)? {
                tally.faults.push(name(&linked.program, subject, end));
            }
        }
    }
    Ok(tally)
}

fn is_proved_frozen(
    linked: &Linked,
    subject: &Subject,
    slice: &Slice,
    numbers: &BTreeMap<Site, (i128, i128)>,
    end: End,
    limit: Duration,
) -> Result<bool> {
    let freezer = Freezer { slice, numbers, end };
    let frozen = freezer.freeze(&linked.program, |function| !linked.models.contains(&function));
    let analysis = analyse(linked, &frozen, None, limit)?;
    if analysis.truncated || analysis.failed.is_some() || !analysis.unsupported.is_empty() {
        return Ok(false);
    }
    let outcome = analysis.findings.get(subject).map(|finding| &finding.outcome);
    Ok(!matches!(outcome, Some(Outcome::Open(_) | Outcome::Unsupported(_))))
}

fn name(program: &Program, subject: &Subject, end: End) -> String {
    let body = program.functions[subject.function].body.as_ref();
    let obligation = body.map(|body| &body.obligations[subject.obligation]);
    let place = obligation.map(|o| program.sources.place(o.span).to_string()).unwrap_or_default();
    let check = obligation.map(|o| o.check.to_string()).unwrap_or_default();
    format!("{place}: {check}: proved with the rest at its {end:?}")
}

fn analyse(
    linked: &Linked,
    program: &Program,
    slices: Option<&(dyn Fn(&Subject) -> bool + Sync)>,
    limit: Duration,
) -> Result<Analysis> {
    let main = program.functions.iter_enumerated().find(|(_, f)| &*f.name == "main");
    let main = main.map(|(id, _)| id).context("a program without main")?;
    let options = clew_absint::Options { slices, ..absint::options(linked, limit) };
    try_with_large_stack(|| clew_absint::analyse(program, &options, main)).context("the analysis panicked")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tally of a program that is written here.
    fn tally(text: &str) -> Tally {
        let reader = Reader::new().expect("good flags");
        let program = reader.program(Path::new("p.c"), text.as_bytes().to_vec()).expect("good C");
        judge(program, 3, Duration::from_secs(20)).expect("it is analysed")
    }

    #[test]
    fn slices_leave_nothing_out() {
        for seed in 1..=10 {
            let tally = tally(&crate::soundness::generator::parts::program(seed));
            assert_eq!(tally.faults, Vec::<String>::new(), "seed {seed}");
        }
    }

    #[test]
    fn a_slice_that_leaves_something_out_is_found() {
        let text = "int __VERIFIER_nondet_int(void);\nint main(void) {\n    int n = __VERIFIER_nondet_int();\n    \
                    int m = n;\n    return 7 / m;\n}\n";
        let reader = Reader::new().expect("good flags");
        let program = reader.program(Path::new("p.c"), text.as_bytes().to_vec()).expect("good C");
        let linked = with_models(program);
        let limit = Duration::from_secs(20);
        let analysis = analyse(&linked, &linked.program, Some(&|_| true), limit).expect("it is analysed");
        let (subject, slice) = analysis.slices.first_key_value().expect("the division is open");
        let proved = |slice: &Slice| {
            is_proved_frozen(&linked, subject, slice, &analysis.numbers, End::Largest, limit)
                .expect("it is analysed")
        };
        assert!(!proved(slice));
        // Without the statement that gives `m`, the division is by one fixed number.
        let last = slice.sites.iter().next_back().copied().expect("it has statements");
        let mut less = slice.clone();
        less.sites.retain(|site| site.statement + 2 >= last.statement && site.block == last.block);
        assert!(proved(&less), "{:?}", slice.sites);
    }
}
