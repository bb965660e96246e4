// SPDX-License-Identifier: MIT OR Apache-2.0
//! The world outside a test: what the interpreter answers for when it plays a witness, the compiled program is told
//! here in the same words.
//!
//! Files live in memory, clocks say what the witness says, what would look at or change the machine fails. Only
//! functions that the program uses and does not define are led here, by the linker (`--wrap`), so that the C library
//! itself is not disturbed. `interpreter/src/libc/closed.rs` is the same list for the interpreter.

use clew_ir::syntax::Program;
use clew_ir::witness::{InputKind, Witness};

use crate::c_values::of_kind;
use crate::files;
use crate::system_stubs;
use crate::uninitialised;

/// Functions that fail with `EACCES`.
const REFUSED: &[&str] = &[
    "openat",
    "openat64",
    "ioctl",
    "truncate",
    "truncate64",
    "unlinkat",
    "rmdir",
    "link",
    "symlink",
    "faccessat",
    "chown",
    "fchown",
    "lchown",
    "chdir",
    "fchdir",
    "uname",
    "nice",
    "setuid",
    "setgid",
    "getrandom",
    "getentropy",
    "stat",
    "stat64",
    "__xstat",
    "__xstat64",
    "lstat",
    "lstat64",
    "__lxstat",
    "__lxstat64",
    "fstatat",
    "fstatat64",
    "chmod",
    "fchmod",
    "mkdir",
    "utime",
    "utimes",
    "utimensat",
    "futimens",
    "mkstemp",
    "mkstemp64",
    "getloadavg",
    "getrusage",
];

/// Functions that return a null pointer, with `EACCES`.
const REFUSED_NULL: &[&str] = &[
    "freopen",
    "freopen64",
    "ttyname",
    "getlogin",
    "opendir",
    "fdopendir",
    "tmpfile",
    "tmpfile64",
    "tmpnam",
    "tempnam",
    "mkdtemp",
];

/// Functions that do nothing, with success.
const SUCCEED: &[&str] = &["flock", "sync", "umask", "nanosleep", "sleep", "usleep"];

/// Who the program is: the same in every run.
const IDENTITIES: &[&str] =
    &["getpid", "getppid", "getpgrp", "getuid", "geteuid", "getgid", "getegid", "gettid"];

/// Functions with a text of their own, and which of the helpers it needs.
const OWN: &[(&str, Needs, &str)] = &[
    ("time", Needs::Time, TIME),
    ("clock", Needs::Time, CLOCK),
    ("times", Needs::Time, CLOCK),
    ("gettimeofday", Needs::Time, TIME_OF_DAY),
    ("clock_gettime", Needs::Time, CLOCK_TIME),
    ("timespec_get", Needs::Time, TIMESPEC),
    ("arc4random", Needs::Random, ARC4RANDOM),
    ("isfinite", Needs::Nothing, ISFINITE),
    ("malloc", Needs::Allocation, MALLOC),
    ("valloc", Needs::Allocation, MALLOC),
    ("calloc", Needs::Allocation, CALLOC),
    ("realloc", Needs::Allocation, REALLOC),
    ("reallocarray", Needs::Allocation, REALLOCARRAY),
    ("aligned_alloc", Needs::Allocation, ALIGNED),
    ("memalign", Needs::Allocation, ALIGNED),
    ("posix_memalign", Needs::Allocation, POSIX),
];

/// What random numbers need beside those of [`OWN`]: without inputs they are those of the library's generator.
const RANDOM: &[&str] = &["rand", "random"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Needs {
    Nothing,
    Files,
    Time,
    Random,
    Allocation,
    Network,
    System,
}

const TIME: &str = "
long __wrap_NAME(long *place);
long __wrap_NAME(long *place)
{
    const long now = (long)next_time();

    if (place)
        *place = now;
    return now;
}
";
const CLOCK: &str = "
long __wrap_NAME(void);
long __wrap_NAME(void)
{
    return forward(2, (long)next_time());
}
";
const FORWARD: &str = "
/* What a clock that cannot be set shows: never less than before. */
__attribute__((unused)) static long forward(int clock, long shown)
{
    static long last[32];
    long *const at = &last[clock & 31];

    *at = shown > *at ? shown : *at;
    return *at;
}
";
const TIME_OF_DAY: &str = "
int __wrap_NAME(long *place);
int __wrap_NAME(long *place)
{
    const long now = (long)next_time();

    if (place) {
        place[0] = now;
        place[1] = 0;
    }
    return 0;
}
";
const CLOCK_TIME: &str = "
int __wrap_NAME(int clock, long *place);
int __wrap_NAME(int clock, long *place)
{
    const int may_be_set = clock == 0 || clock == 5 || clock == 8 || clock == 11;
    const long shown = (long)next_time(), now = may_be_set ? shown : forward(clock, shown);

    if (place) {
        place[0] = now;
        place[1] = 0;
    }
    return 0;
}
";
const TIMESPEC: &str = "
int __wrap_NAME(long *place, int base);
int __wrap_NAME(long *place, int base)
{
    const long now = (long)next_time();

    if (place) {
        place[0] = now;
        place[1] = 0;
    }
    return base;
}
";
const RAND: &str = "
long __wrap_NAME(void);
long __wrap_NAME(void)
{
    return (long)(next_random() & 0x7fffffff);
}
";
const ARC4RANDOM: &str = "
unsigned __wrap_NAME(void);
unsigned __wrap_NAME(void)
{
    return (unsigned)next_random();
}
";
/// A macro, or known to the compiler: the library has no function of this name.
const ISFINITE: &str = "
int __wrap_NAME(double value);
int __wrap_NAME(double value)
{
    return value - value == 0;
}
";
const MALLOC: &str = r#"
void *__real_NAME(size_t size);
void *__wrap_NAME(size_t size);
void *__wrap_NAME(size_t size)
{
    return may_be_had(size) ? begun("NAME", __real_NAME(size), 0, size) : NULL;
}
"#;
const CALLOC: &str = "
void *__real_NAME(size_t count, size_t size);
void *__wrap_NAME(size_t count, size_t size);
void *__wrap_NAME(size_t count, size_t size)
{
    const size_t all = size && count > (size_t)-1 / size ? (size_t)-1 : count * size;

    return may_be_had(all) ? __real_NAME(count, size) : NULL;
}
";
const REALLOC: &str = r#"
void *__real_NAME(void *old, size_t size);
void *__wrap_NAME(void *old, size_t size);
void *__wrap_NAME(void *old, size_t size)
{
    const size_t kept = old ? malloc_usable_size(old) : 0;

    if (old && !size)
        return __real_NAME(old, size);
    return may_be_had(size) ? begun("NAME", __real_NAME(old, size), kept, size) : NULL;
}
"#;
const REALLOCARRAY: &str = r#"
void *__real_NAME(void *old, size_t count, size_t size);
void *__wrap_NAME(void *old, size_t count, size_t size);
void *__wrap_NAME(void *old, size_t count, size_t size)
{
    const size_t kept = old ? malloc_usable_size(old) : 0;

    if ((size && count > (size_t)-1 / size) || (old && !(count * size)))
        return __real_NAME(old, count, size);
    return may_be_had(count * size) ? begun("NAME", __real_NAME(old, count, size), kept, count * size) : NULL;
}
"#;
const ALIGNED: &str = r#"
void *__real_NAME(size_t align, size_t size);
void *__wrap_NAME(size_t align, size_t size);
void *__wrap_NAME(size_t align, size_t size)
{
    return may_be_had(size) ? begun("NAME", __real_NAME(align, size), 0, size) : NULL;
}
"#;
const POSIX: &str = r#"
int __real_NAME(void **place, size_t align, size_t size);
int __wrap_NAME(void **place, size_t align, size_t size);
int __wrap_NAME(void **place, size_t align, size_t size)
{
    const int failed = may_be_had(size) ? __real_NAME(place, align, size) : ENOMEM;

    if (!failed)
        begun("NAME", *place, 0, size);
    return failed;
}
"#;

/// What of the world outside a program uses.
pub(crate) struct Closed {
    own: Vec<(&'static str, Needs, &'static str)>,
    random: Vec<&'static str>,
    plain: Vec<(&'static str, Plain)>,
}

#[derive(Clone, Copy)]
enum Plain {
    Refuse,
    RefuseNull,
    Succeed,
    Identity,
}

impl Closed {
    pub(crate) fn new(program: &Program, witness: &Witness) -> Closed {
        let bare = |name: &str| name.strip_prefix("__builtin_").unwrap_or(name).to_owned();
        let called = program.functions.iter().filter(|f| f.body.is_none() && f.alias.is_none());
        let called: std::collections::BTreeSet<String> = called.map(|f| bare(&f.name)).collect();
        let used = |name: &&'static str| called.contains(*name);
        let of = |list: &'static [&'static str], what| {
            list.iter().copied().filter(used).map(move |name| (name, what))
        };
        // Allocations that all succeed and hold nothing in particular are left to the sanitizer alone.
        let fails = of_kind(witness, InputKind::Allocation).next().is_some();
        let is_led = fails || uninitialised::fills_heap(witness);
        let is_random = of_kind(witness, InputKind::Random).next().is_some();
        let own = OWN
            .iter()
            .copied()
            .filter(|(name, needs, _)| used(name) && (*needs != Needs::Allocation || is_led));
        let beside = system_stubs::BESIDE.iter().filter(|_| called.contains("socket"));
        let network =
            system_stubs::NETWORK.iter().chain(beside).map(|(name, text)| (*name, Needs::Network, *text));
        let system = system_stubs::SYSTEM.iter().map(|(name, text)| (*name, Needs::System, *text));
        let named = files::OWN.iter().map(|(name, text)| (*name, Needs::Files, *text));
        let own = own.chain(named.chain(network).chain(system).filter(|(name, ..)| used(name)));
        let plain = of(REFUSED, Plain::Refuse)
            .chain(of(REFUSED_NULL, Plain::RefuseNull))
            .chain(of(SUCCEED, Plain::Succeed))
            .chain(of(IDENTITIES, Plain::Identity));
        Closed {
            own: own.collect(),
            random: RANDOM.iter().copied().filter(|name| is_random && used(name)).collect(),
            plain: plain.collect(),
        }
    }

    /// The symbols that are led here.
    pub(crate) fn wraps(&self) -> impl Iterator<Item = &'static str> {
        let own = self.own.iter().map(|(name, ..)| *name);
        own.chain(self.random.iter().copied()).chain(self.plain.iter().map(|(name, _)| *name))
    }

    /// Whether files or connections need `write_all`.
    pub(crate) fn fills_files(&self, witness: &Witness) -> bool {
        let sends = || of_kind(witness, InputKind::Network).next().is_some();
        self.needs(Needs::Files) || (self.needs(Needs::Network) && sends())
    }

    /// Whether allocations ask what their objects hold.
    pub(crate) fn allocates(&self) -> bool {
        self.needs(Needs::Allocation)
    }

    fn needs(&self, what: Needs) -> bool {
        self.own.iter().any(|(_, needs, _)| *needs == what)
    }

    /// The definitions.
    pub(crate) fn text(&self, witness: &Witness) -> String {
        let mut text = String::new();
        if self.needs(Needs::Time) {
            text.push_str(&queue(witness, InputKind::Time, "clocks say", "next_time"));
            text.push_str(FORWARD);
        }
        if self.needs(Needs::Random) || !self.random.is_empty() {
            text.push_str(&queue(witness, InputKind::Random, "random number generators say", "next_random"));
        }
        if self.needs(Needs::Allocation) {
            text.push_str(&allocations(witness));
            text.push_str(uninitialised::BEGUN);
        }
        if self.needs(Needs::Files) {
            text.push_str(&files::text(witness));
        }
        if self.needs(Needs::Network) {
            text.push_str(&system_stubs::network(witness));
        }
        if self.needs(Needs::System) {
            text.push_str(&system_stubs::system(witness));
        }
        for (name, _, definition) in &self.own {
            text.push_str(&named(definition, name));
        }
        for name in &self.random {
            text.push_str(&named(RAND, name));
        }
        if !self.plain.is_empty() {
            text.push_str("\n/* What would look at the machine or change it. */\n");
        }
        for (name, plain) in &self.plain {
            let (ty, body) = match plain {
                Plain::Refuse => ("long ", "    errno = EACCES;\n    return -1;\n"),
                Plain::RefuseNull => ("void *", "    errno = EACCES;\n    return NULL;\n"),
                Plain::Succeed => ("long ", "    return 0;\n"),
                Plain::Identity => ("long ", "    return 1000;\n"),
            };
            text.push_str(&format!("{ty}__wrap_{name}(void);\n{ty}__wrap_{name}(void)\n{{\n{body}}}\n\n"));
        }
        text
    }
}

/// A definition with the name of its function in it: behind an underscore, or in quotes.
fn named(definition: &str, name: &str) -> String {
    definition.replace("_NAME", &format!("_{name}")).replace("\"NAME\"", &format!("\"{name}\""))
}

/// Numbers that are given out in order, and zeroes after them.
fn queue(witness: &Witness, kind: InputKind, what: &str, name: &str) -> String {
    let numbers = of_kind(witness, kind).map(|input| format!("{:#x}, ", input.pattern().unwrap_or(0) as u64));
    format!(
        "\n/* What {what}, in order; then 0. */\nstatic unsigned long long {name}(void)\n{{\n    \
         static const unsigned long long numbers[] = {{ {}0 }};\n    static size_t next;\n    \
         const size_t last = sizeof numbers / sizeof numbers[0] - 1;\n\n    \
         return numbers[next < last ? next++ : last];\n}}\n",
        numbers.collect::<String>()
    )
}

fn allocations(witness: &Witness) -> String {
    let rows = of_kind(witness, InputKind::Allocation);
    let rows = rows.map(|input| if input.pattern() == Some(0) { "0, " } else { "1, " });
    format!(
        "\n/* Which allocations succeed, in order; those after the last do. Objects that are too large for any machine \
         never do. */\nstatic int may_be_had(size_t size)\n{{\n    static const unsigned char succeeds[] = {{ {}1 }};\n    \
         static size_t next;\n\n    if (size > (size_t)-1 / 2 || (next < sizeof succeeds && !succeeds[next++])) {{\n        \
         errno = ENOMEM;\n        return 0;\n    }}\n    return 1;\n}}\n",
        rows.collect::<String>()
    )
}
