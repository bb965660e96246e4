// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line: what users may write, as types.

mod report;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};

pub use report::{ReportFlags, ReportFormat};

/// Proofs, witnesses and open questions for C programs.
#[derive(Parser, Debug)]
#[command(name = "clew", version, max_term_width = 100, infer_subcommands = false)]
pub struct Flags {
    /// When to colour: where somebody looks, always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: ColorChoice,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// List every operation that can go wrong, and what is known of it
    Check(Box<CheckFlags>),
    /// Run a program in the interpreter, which stops at undefined behaviour
    Run(RunFlags),
    /// Run a kept witness again, in the interpreter and as a compiled program
    Replay(ReplayFlags),
    /// Show the intermediate representation of a program
    Ir(IrFlags),
    /// Bound round-off, find unstable tests and cancellation, and inputs that come close to the bound
    Precision(PrecisionFlags),
    /// Bound round-off and find overflow of a computation in fixed point
    Fixed(Box<FixedFlags>),
    /// Infer what functions ask of their callers
    Contracts(ContractsFlags),
    /// Check functions that have no `main`, and ask which of their callers' duties may be taken for granted
    Refine(RefineFlags),
    /// Find inputs on which floating-point operations overflow, divide by zero, have no result or underflow
    Exceptions(ExceptionsFlags),
    /// Explain a check, or `list` them all
    Explain(ExplainFlags),
    /// List what verdicts may rest on without proof
    Assumptions,
    /// List the solvers that `check --solver` can ask, and which are on PATH
    Solvers,
    /// Show what `check` is told by clew.toml and flags, and from where
    Config(ConfigFlags),
    /// Write a clew.toml for the project that is here
    Init,
    /// Remove the tests that clew keeps
    Clean(CleanFlags),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all commands into a folder
    Man {
        /// The folder
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
}

#[derive(Args, Debug)]
pub struct ConfigFlags {
    /// Files and flags of a call of `check`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "FILES AND FLAGS")]
    pub words: Vec<OsString>,
}

#[derive(Args, Debug)]
pub struct CleanFlags {
    /// Where they are [default: clew-out]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// Flags after `--` go to the compiler
pub const COMPILER_FLAGS_HELP: &str =
    "Arguments after `--` are flags for the compiler, such as -I, -D and -std=.";

/// How `check` ends, too
const CHECK_HELP: &str = "Arguments after `--` are flags for the compiler, such as -I, -D and -std=.\n\n\
    The exit status is 0 if nothing is violated, 1 if something is, 2 if the input or the flags are wrong or there is \
    nothing to analyse, 3 for a fault of clew's own, 4 if --budget, --memory, ctrl-C or SIGTERM ended the work early: \
    the report then says what is known so far.";

#[derive(Args, Debug)]
#[command(override_usage = "clew contracts [OPTIONS] FILES... [-- COMPILER FLAGS]", after_help = COMPILER_FLAGS_HELP)]
pub struct ContractsFlags {
    /// C files (.c) and preprocessed ones (.i)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Only what this function asks
    #[arg(long, value_name = "FUNCTION")]
    pub function: Option<String>,
    /// Only what is necessary: broken, the function surely fails
    #[arg(long)]
    pub necessary: bool,
    /// Keep them in a file: what is there already stays
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub write: Option<PathBuf>,
    /// Show what changed against the contracts of a file
    #[arg(long, value_name = "BASE", conflicts_with = "write")]
    pub diff: Option<PathBuf>,
}

/// Which suggestions are accepted without asking
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Accept {
    /// Those without which a function surely fails
    Necessary,
    /// All
    All,
    /// None
    None,
}

#[derive(Args, Debug)]
#[command(override_usage = "clew refine [OPTIONS] FILES... [-- COMPILER FLAGS]", after_help = COMPILER_FLAGS_HELP)]
pub struct RefineFlags {
    /// C files (.c) and preprocessed ones (.i)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Only from this function; may be given several times [default: all that others can call]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Vec<String>,
    /// The file that keeps what is accepted [default: clew-env.c beside the first file]
    #[arg(long, value_name = "FILE")]
    pub env: Option<PathBuf>,
    /// Accept these without asking
    #[arg(long, value_name = "WHICH")]
    pub accept: Option<Accept>,
    /// Show the questions, and ask nothing
    #[arg(long, conflicts_with = "accept")]
    pub plan: bool,
    /// Checks, groups or SV-COMP properties to look at, separated by commas
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub check: Option<String>,
    /// Seconds that each look at a function may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub budget: u64,
}

/// How `precision` ends, too
const PRECISION_HELP: &str = "Arguments after `--` are flags for the compiler, such as -I, -D and -std=.\n\n\
    The exit status is 0 if every bound was found, 1 if a property of the program is violated, 2 if the input or the \
    flags are wrong; what has no bound is said with the reason. docs/precision.md says what is bounded, against what.";

#[derive(Args, Debug)]
#[command(override_usage = "clew check [OPTIONS] [FILES]... [-- COMPILER FLAGS]", after_help = CHECK_HELP)]
pub struct CheckFlags {
    /// C files (.c) and preprocessed ones (.i); with -p those of the project that are meant
    pub files: Vec<PathBuf>,
    /// Read a project: a folder with a compile_commands.json, or the file itself
    #[arg(short = 'p', long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Checks, groups or SV-COMP properties to show, separated by commas; `-NAME` takes away; may be given several times
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub check: Vec<String>,
    /// Where runs start: a function; may be given several times [default: main, else all that others can call]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Vec<String>,
    /// Contracts that callers are trusted with [default: clew-env.c beside the first file, if it is there]
    #[arg(long, value_name = "FILE")]
    pub env: Option<PathBuf>,
    /// Assume something that clew does not prove; `clew assumptions` lists the names
    #[arg(long, value_name = "NAME")]
    pub assume: Vec<String>,
    /// Do not assume it
    #[arg(long, value_name = "NAME")]
    pub no_assume: Vec<String>,
    /// Assume that the clock ticks at most so many times: that the function that waits for it is called no more often
    #[arg(long, value_name = "N")]
    pub max_clock: Option<u64>,
    /// The function that waits for the clock [default: __clew_tick]
    #[arg(long, value_name = "FUNCTION", requires = "max_clock")]
    pub clock: Option<String>,
    /// How much work proving is worth: 0 or quick, 1 or light, 2 or usual, 3 or thorough [default: usual]
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<String>,
    /// Do not look for inputs that violate what is open
    #[arg(long)]
    pub no_search: bool,
    /// A second solver, for what is too hard for the built-in one and to confirm its proofs: z3, cvc5, bitwuzla (or the path of
    /// one); `clew solvers` lists those on PATH
    #[arg(long, value_name = "SOLVER", default_value = "cadical", conflicts_with = "no_search")]
    pub solver: String,
    /// Seconds that one question to --solver may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub solver_time: u64,
    /// Do not ask the compiled program about violations
    #[arg(long)]
    pub no_replay: bool,
    /// Where the tests of violations are kept [default: clew-out]
    #[arg(long, value_name = "DIR", conflicts_with = "no_replay")]
    pub keep: Option<PathBuf>,
    /// Seconds that proving may take; what is not done by then is open
    #[arg(long, value_name = "SECONDS")]
    pub budget: Option<u64>,
    /// A function that may run at any time, between any two operations: a handler of interrupts; may be given several times
    #[arg(long, value_name = "FUNCTION")]
    pub interrupt: Vec<String>,
    #[command(flatten)]
    pub hardware: HardwareFlags,
    /// Entries that are analysed at once [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Learn which costly parts of the analysis are of use, so that the next run with the same file goes without the others
    #[arg(long, value_name = "FILE")]
    pub remember: Option<PathBuf>,
    /// Leave out domains, separated by commas, to measure what they are good for; docs/domains.md lists them
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        hide_short_help = true,
        help_heading = "Advanced"
    )]
    pub without: Vec<String>,
    /// Say what solving costs when it goes without these, separated by commas, to measure what they are good for
    #[arg(long, value_name = "PARTS", value_delimiter = ',', hide = true)]
    pub costs_without: Option<Vec<Part>>,
    /// Say what holds at the head of each loop
    #[arg(long)]
    pub invariants: bool,
    /// Say where an open obligation comes from, instead of the list: its id, FILE:LINE or FILE:LINE:COLUMN; may be given
    /// several times
    #[arg(long, value_name = "PLACE")]
    pub slice: Vec<String>,
    /// Say so for all that are open, after the list
    #[arg(long, conflicts_with = "slice")]
    pub slices: bool,
    /// End with status 1 for open obligations too
    #[arg(long, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,
    /// List every obligation by check, those that are proved too
    #[arg(short = 'v', long, visible_alias = "verbose")]
    pub proved: bool,
    /// Open questions (with --proved: places of one check) that are shown in text; 0 shows all, and every violation with its inputs
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub limit: usize,
    /// What clang-tidy is told of its compiler by CMake; it is of no use here
    #[arg(long, hide = true, allow_hyphen_values = true)]
    pub extra_arg_before: Vec<String>,
    #[command(flatten)]
    pub report: ReportFlags,
}

#[derive(Args, Debug)]
#[command(
    override_usage = "clew run [OPTIONS] FILES... [ARGUMENTS]... [-- COMPILER FLAGS]",
    after_help = "Leading words that end in .c or .i are the program's files, the rest are its arguments. \
                  Arguments after `--` are flags for the compiler. The exit status is the program's own, 99 \
                  for a finding and 98 when clew could not go on."
)]
pub struct RunFlags {
    /// File for the program's standard input
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// Go on after a finding where the machine has an answer
    #[arg(long)]
    pub all: bool,
    /// Checks that stop the run although it could go on, separated by commas
    #[arg(long, value_name = "LIST")]
    pub stop_on: Option<String>,
    /// A witness: values for the nondeterministic inputs
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// A file of the program; with this option all other words are arguments
    #[arg(long, value_name = "FILE")]
    pub source: Vec<PathBuf>,
    /// Stop after so many steps
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Have findings confirmed by the compiled program, and keep the tests under this folder
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Do not list what went wrong without stopping the run
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub hardware: HardwareFlags,
    /// The report goes to standard error unless a file is named
    #[command(flatten)]
    pub output: OutputFlags,
    /// Files of the program, then its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "FILES AND ARGUMENTS")]
    pub words: Vec<OsString>,
}

#[derive(Args, Debug)]
#[command(override_usage = "clew ir [OPTIONS] FILES... [-- COMPILER FLAGS]", after_help = COMPILER_FLAGS_HELP)]
pub struct IrFlags {
    /// C files (.c) and preprocessed ones (.i)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The form
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub emit: Emit,
    /// Text with spans and tables: what parses back into the same program
    #[arg(long)]
    pub full: bool,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    #[command(flatten)]
    pub hardware: HardwareFlags,
}

#[derive(Args, Debug)]
#[command(override_usage = "clew precision [OPTIONS] FILES... [-- COMPILER FLAGS]", after_help = PRECISION_HELP)]
pub struct PrecisionFlags {
    /// C files (.c), preprocessed ones (.i), or FPCore (.fpcore)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// A function; may be given several times [default: all that compute floats]
    #[arg(long, value_name = "NAME")]
    pub function: Vec<String>,
    /// The numbers that an input takes: x=0..1; of an array, all elements; may be given several times
    #[arg(long, value_name = "NAME=LO..HI", allow_hyphen_values = true)]
    pub range: Vec<String>,
    /// How far inputs may be from the real numbers they stand for: 1e-6, or x=1e-6; may be given several times
    #[arg(long, value_name = "[NAME=]ERROR", allow_hyphen_values = true)]
    pub input_error: Vec<String>,
    /// What inputs are
    #[arg(long, value_name = "KIND", default_value = "exact")]
    pub inputs: InputKind,
    /// Demand that results are stable in the interval-real model: relative width below this, such as 0.001
    #[arg(long, value_name = "WIDTH")]
    pub stable: Option<String>,
    /// The relative error of an operation in that model, such as 2^-8 [default: the type's, in any rounding mode]
    #[arg(long, value_name = "DELTA")]
    pub delta: Option<String>,
    /// Simplifications of that model to go without, separated by commas, to measure what they are good for
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub without: Vec<ModelPart>,
    /// Join ways and loops where paths are too many or too long (experimental: no referee has judged these bounds yet)
    #[arg(long)]
    pub joined: bool,
    /// Do not look for inputs that come close to the bounds
    #[arg(long)]
    pub no_search: bool,
    /// Only look for inputs with large relative errors, in whole functions, without bounds
    #[arg(long, conflicts_with_all = ["no_search", "plot", "fpcore", "stable"])]
    pub find: bool,
    /// Bound absolute errors only, not relative ones and ulps
    #[arg(long)]
    pub absolute_only: bool,
    /// Draw the error of the first result along the first input, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Write the kernel as FPCore instead of a report
    #[arg(long)]
    pub fpcore: bool,
    /// How hard to work for each bound: millions of operations
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub effort: u64,
    #[command(flatten)]
    pub output: OutputFlags,
}

#[derive(Args, Debug)]
pub struct ReplayFlags {
    /// A witness that `clew check` or `clew run --keep` left: clew-out/.../witness.json
    pub witness: PathBuf,
    /// Tell the run: its inputs, the branches that lead to the fault, the values there
    #[arg(long)]
    pub trace: bool,
    #[command(flatten)]
    pub hardware: HardwareFlags,
}

/// How `exceptions` ends, too
const EXCEPTIONS_HELP: &str = "Arguments after `--` are flags for the compiler, such as -I, -D and -std=.\n\n\
    The exit status is 0 if nothing was raised, 1 if something was, 2 if the input or the flags are wrong. \
    docs/floating-point.md says what is raised when, and what is assumed.";

#[derive(Args, Debug)]
#[command(override_usage = "clew exceptions [OPTIONS] FILES... [-- COMPILER FLAGS]", after_help = EXCEPTIONS_HELP)]
pub struct ExceptionsFlags {
    /// C files (.c) and preprocessed ones (.i)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// A function to call; may be given several times [default: all, public and static]
    #[arg(long, value_name = "NAME")]
    pub function: Vec<String>,
    /// A function by which the library tells its user of errors, such as gsl_error: it is not called; may be given several times
    #[arg(long, value_name = "NAME")]
    pub told_by: Vec<String>,
    /// Do not look for tiny results
    #[arg(long)]
    pub no_underflow: bool,
    /// How hard to look, for each function: millions of blocks of the program
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub effort: u64,
    /// Where random numbers start
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Show every site and function, not only the first
    #[arg(long)]
    pub all: bool,
    /// Write a C test of each site into this folder
    #[arg(long, value_name = "DIR")]
    pub emit_tests: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputFlags,
}

/// How `fixed` ends, too
const FIXED_HELP: &str = "Formats and ranges may also stand in a comment of the source: docs/fixed-point.md. Arguments \
    after `--` are flags for the compiler.\n\n\
    The exit status is 0 if nothing was shown to overflow or to err too much, 1 if something was, 2 if the input or the \
    flags are wrong, 3 for a fault of clew's own.";

#[derive(Args, Debug)]
#[command(override_usage = "clew fixed [OPTIONS] FILES... [-- COMPILER FLAGS]", after_help = FIXED_HELP)]
pub struct FixedFlags {
    /// C files (.c) and preprocessed ones (.i)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// A variable's format: x=s7.8 (sign, 7 integer bits, 8 fraction bits), u8.8, s5.3d (decimal), q15; ALL=... for all floats; may
    /// be given several times
    #[arg(long, value_name = "NAME=FORMAT")]
    pub fixed: Vec<String>,
    /// An input's range: x=0..1; p[8]=-1..1 for 8 elements behind a pointer; may be given several times
    #[arg(long, value_name = "NAME=LOW..HIGH", allow_hyphen_values = true)]
    pub range: Vec<String>,
    /// How results are rounded: half-up, half-even, truncate, toward-zero [default: half-up]
    #[arg(long, value_name = "MODE")]
    pub round: Option<String>,
    /// What becomes of results that do not fit: wrap or saturate [default: wrap]
    #[arg(long, value_name = "MODE")]
    pub overflow: Option<String>,
    /// The function to look at [default: main, else the only one]
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Show the bounds of classical, affine and extended affine intervals beside the best one
    #[arg(long)]
    pub compare: bool,
    /// Show every assignment, not only the end
    #[arg(long)]
    pub lines: bool,
    /// Ask whether errors at the end are within this
    #[arg(long, value_name = "ERROR", allow_hyphen_values = true)]
    pub within: Option<f64>,
    /// Find the shortest formats, for all floats and by variable, that keep errors within this and let nothing overflow; for
    /// integer C the widths that its variables need
    #[arg(long, value_name = "ERROR", allow_hyphen_values = true)]
    pub fit: Option<f64>,
    /// Draw bound and reached error of the result along the first input, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Boxes that the inputs are cut into, at most
    #[arg(long, value_name = "N", default_value_t = 1500)]
    pub boxes: usize,
    /// Runs that look for errors and overflows, at most
    #[arg(long, value_name = "N", default_value_t = 4000)]
    pub runs: u64,
    /// Do not ask a compiled emulation about overflows
    #[arg(long)]
    pub no_replay: bool,
    #[command(flatten)]
    pub output: OutputFlags,
}

#[derive(Args, Debug)]
pub struct ExplainFlags {
    /// The id of a check, such as `null-deref`, or `list`
    #[arg(value_name = "CHECK|list")]
    pub check: String,
}

#[derive(Args, Debug)]
pub struct HardwareFlags {
    /// What lies at addresses: LO..HI=volatile (hardware registers), LO..HI=volatile:LEAST..MOST (that read as such a number),
    /// LO..HI=ram (memory); may be given several times [default: volatile accesses at constant addresses are to registers].
    /// For `check` also a plain number: the megabytes that proving may take
    #[arg(long, value_name = "MB|LO..HI=KIND")]
    pub memory: Vec<String>,
}

#[derive(Args, Debug)]
pub struct OutputFlags {
    /// The form of the report
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub format: Format,
    /// Write the report to a file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FailOn {
    /// Open obligations too
    Open,
}

/// What the proofs save the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Part {
    /// Nothing: it goes without none of them
    None,
    /// What is proved is not asked
    Proved,
    /// What is proved given others is not asked either
    Given,
    /// What holds at loop heads is known
    Invariants,
    /// A call that comes again is walked once for all
    Summaries,
    /// Paths are followed one by one where merging them is too hard
    Forks,
    /// Obligations are walked for in groups first, over what has nothing to do with them
    Slices,
    /// Numbers at loop heads have no more bits than their range needs
    Narrowing,
    /// Pointers lose the cases that no run has behind a check
    Pointers,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs, by docs/report.schema.json
    Json,
}

/// What invariants spare the interval-real model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ModelPart {
    /// A status that is always Number
    Status,
    /// A sign that is known
    Updates,
    /// Results that are known to be normal
    Normal,
}

/// What inputs of a numeric function are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum InputKind {
    /// Floats, that stand for themselves
    Exact,
    /// Real numbers, rounded to floats once
    Rounded,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Emit {
    /// The text form
    Text,
    /// Everything, as JSON
    Json,
    /// C that behaves as the original
    C,
}
