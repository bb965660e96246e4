// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<stdlib.h>`: integers in text, arithmetic, pseudo-random numbers, and the end of the program.

use clew_base::int::IntType;

use super::Table;
use super::context::{Answer, int, pointer, unit};
use super::errno::Errno;
use super::number::{self, Integer};
use super::random::{self, Additive, Congruential};
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::{Pointer, Value};

const SIGABRT: i32 = 6;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("atoi", atoi),
    ("atol", atol),
    ("atoll", atol),
    ("strtol", strtol),
    ("strtoll", strtol),
    ("strtoq", strtol),
    ("strtoimax", strtol),
    ("__isoc23_strtol", strtol),
    ("__isoc23_strtoll", strtol),
    ("strtoul", strtoul),
    ("strtoull", strtoul),
    ("strtouq", strtoul),
    ("strtoumax", strtoul),
    ("__isoc23_strtoul", strtoul),
    ("__isoc23_strtoull", strtoul),
    ("abs", abs),
    ("labs", labs),
    ("llabs", labs),
    ("imaxabs", labs),
    ("div", div),
    ("ldiv", ldiv),
    ("lldiv", ldiv),
    ("imaxdiv", ldiv),
    ("rand", rand),
    ("srand", srand),
    ("random", rand),
    ("srandom", srand),
    ("rand_r", rand_r),
    ("drand48", drand48),
    ("lrand48", lrand48),
    ("mrand48", mrand48),
    ("erand48", erand48),
    ("nrand48", nrand48),
    ("jrand48", jrand48),
    ("srand48", srand48),
    ("seed48", seed48),
    ("lcong48", lcong48),
    ("exit", exit),
    ("_exit", exit_now),
    ("_Exit", exit_now),
    ("quick_exit", exit_now),
    ("atexit", atexit),
    ("__cxa_atexit", cxa_atexit),
    ("on_exit", on_exit),
    ("at_quick_exit", at_quick_exit),
    ("abort", abort),
    ("system", system),
    ("realpath", realpath),
    ("__realpath_chk", realpath),
    ("canonicalize_file_name", canonicalize),
    ("a64l", a64l),
    ("getloadavg", getloadavg),
    ("mkstemp", mkstemp),
    ("mkstemp64", mkstemp),
    ("mkdtemp", mkdtemp),
    ("getsubopt", getsubopt),
];

impl NativeCtx<'_, '_> {
    /// Reads a number at the start of a string, in place: only as far as it goes, so that reading one number after
    /// another in a long text costs no more than it should. `parse` says what it found and how many bytes it took.
    pub fn number_at<T>(
        &mut self,
        start: Pointer,
        argument: usize,
        parse: impl FnOnce(&[u8]) -> (T, usize),
    ) -> Result<T, Stop> {
        if !self.check_read(start, 1, argument)? {
            return Ok(parse(b"").0);
        }
        let text = self.machine.memory.tail(start).unwrap_or(&[]);
        let blanks = text.iter().take_while(|b| number::is_space(**b)).count();
        let available = text.len();
        let (found, used) = parse(text);
        // The byte that ends the number is looked at, too.
        let looked = used.max(blanks) + 1;
        if looked > available {
            self.string_length(start, argument)?;
        } else {
            self.check_initialised(start, looked as u64, argument)?;
            self.machine.touch(start, looked as u64, false);
        }
        Ok(found)
    }

    /// The start of the text at a pointer, for messages.
    fn shown_text(&mut self, start: Pointer) -> String {
        let tail = self.memory().tail(start).unwrap_or(&[]);
        let end = tail.iter().position(|b| *b == 0).unwrap_or(tail.len()).min(40);
        tail[..end].escape_ascii().to_string()
    }
}

fn integer_at(ctx: &mut NativeCtx<'_, '_>, base: u32) -> Result<Integer, Stop> {
    let start = ctx.ptr(0);
    ctx.number_at(start, 0, |text| {
        let found = number::integer(text, base);
        (found, found.used)
    })
}

fn parsed(ctx: &mut NativeCtx<'_, '_>) -> Result<Integer, Stop> {
    let (start, end, base) = (ctx.ptr(0), ctx.ptr(1), ctx.i32(2));
    if base != 0 && !(2..=36).contains(&base) {
        ctx.bad_argument(2, &format!("the base {base} is neither 0 nor in 2..=36"))?;
        ctx.set_errno(Errno::EINVAL.0);
        return Ok(Integer { used: 0, negative: false, magnitude: Some(0) });
    }
    let found = integer_at(ctx, base as u32)?;
    if !end.is_null() {
        ctx.write_ptr(end, start.add(found.used as u64), 1)?;
    }
    Ok(found)
}

fn ranged<T: Into<i128>>(ctx: &mut NativeCtx<'_, '_>, (value, out_of_range): (T, bool)) -> Answer {
    if out_of_range {
        ctx.set_errno(Errno::ERANGE.0);
    }
    int(value)
}

fn strtol(ctx: Ctx) -> Answer {
    let found = parsed(ctx)?;
    ranged(ctx, found.signed())
}

fn strtoul(ctx: Ctx) -> Answer {
    let found = parsed(ctx)?;
    ranged(ctx, found.unsigned())
}

/// C leaves `atoi` of what does not fit undefined; glibc gives the low bits of `strtol`.
fn atoi(ctx: Ctx) -> Answer {
    let (value, out_of_range) = integer_at(ctx, 10)?.signed();
    if out_of_range || i32::try_from(value).is_err() {
        let shown = ctx.shown_text(ctx.ptr(0));
        ctx.bad_argument(0, &format!("the number in \"{shown}\" does not fit int"))?;
    }
    int(value as i32)
}

fn atol(ctx: Ctx) -> Answer {
    let (value, out_of_range) = integer_at(ctx, 10)?.signed();
    if out_of_range {
        let shown = ctx.shown_text(ctx.ptr(0));
        ctx.bad_argument(0, &format!("the number in \"{shown}\" does not fit long"))?;
    }
    int(value)
}

fn abs(ctx: Ctx) -> Answer {
    absolute(ctx, IntType::I32)
}

fn labs(ctx: Ctx) -> Answer {
    absolute(ctx, IntType::I64)
}

fn absolute(ctx: &mut NativeCtx<'_, '_>, ty: IntType) -> Answer {
    let value = ctx.int(0);
    if value == ty.min() {
        let message = format!("argument 1 of `{}`: -({value}) does not fit", ctx.name());
        ctx.violate(clew_ir::obligation::CheckKind::SignedOverflow, message)?;
        return int(value);
    }
    int(value.abs())
}

fn div(ctx: Ctx) -> Answer {
    divide(ctx, IntType::I32)
}

fn ldiv(ctx: Ctx) -> Answer {
    divide(ctx, IntType::I64)
}

/// Quotient and remainder go to where the caller wants the struct.
fn divide(ctx: &mut NativeCtx<'_, '_>, ty: IntType) -> Answer {
    use clew_base::int::DivError;
    use clew_ir::obligation::CheckKind;
    let (a, b) = (ctx.int(0), ctx.int(1));
    let check = match ty.div(a, b) {
        Ok(_) => None,
        Err(DivError::DivisionByZero) => Some((CheckKind::DivisionByZero, "divides by zero".to_owned())),
        Err(DivError::Overflow) => Some((CheckKind::SignedOverflow, format!("{a} / {b} does not fit"))),
    };
    if let Some((check, what)) = check {
        let message = format!("`{}` {what}", ctx.name());
        ctx.violate(check, message)?;
        // A run that goes on has zeros there, as behind a division.
        if let Some(place) = ctx.result_place() {
            let bytes = u64::from(ty.bits / 8);
            ctx.write_int(place, ty, 0, 0)?;
            ctx.write_int(place.add(bytes), ty, 0, 0)?;
        }
        return unit();
    }
    if let Some(place) = ctx.result_place() {
        let bytes = u64::from(ty.bits / 8);
        ctx.write_int(place, ty, a / b, 0)?;
        ctx.write_int(place.add(bytes), ty, a % b, 0)?;
    }
    unit()
}

pub(super) fn rand(ctx: Ctx) -> Answer {
    int(ctx.state().random.next())
}

fn srand(ctx: Ctx) -> Answer {
    let seed = ctx.int(0) as u32;
    ctx.state().random = Additive::seeded(seed);
    ctx.state().drawn.seed(seed);
    unit()
}

fn rand_r(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let seed = ctx.read_int(place, IntType::U32, 0)? as u32;
    let (result, next) = random::rand_r(seed);
    ctx.write_int(place, IntType::U32, i128::from(next), 0)?;
    int(result)
}

fn drand48(ctx: Ctx) -> Answer {
    let x = ctx.state().congruential.step();
    Ok(Value::f64(Congruential::as_double(x)))
}

fn lrand48(ctx: Ctx) -> Answer {
    int(Congruential::as_unsigned(ctx.state().congruential.step()))
}

fn mrand48(ctx: Ctx) -> Answer {
    int(Congruential::as_signed(ctx.state().congruential.step()))
}

/// Steps the 48 bits that the program keeps in an array of three `unsigned short`.
fn step_array(ctx: &mut NativeCtx<'_, '_>) -> Result<u64, Stop> {
    let place = ctx.ptr(0);
    let mut raw = [0; 8];
    raw[..6].copy_from_slice(&ctx.read(place, 6, 0)?[..6]);
    let mut state = Congruential { x: u64::from_le_bytes(raw), ..ctx.state().congruential };
    let x = state.step();
    ctx.write(place, &x.to_le_bytes()[..6], 0)?;
    Ok(x)
}

fn erand48(ctx: Ctx) -> Answer {
    Ok(Value::f64(Congruential::as_double(step_array(ctx)?)))
}

fn nrand48(ctx: Ctx) -> Answer {
    int(Congruential::as_unsigned(step_array(ctx)?))
}

fn jrand48(ctx: Ctx) -> Answer {
    int(Congruential::as_signed(step_array(ctx)?))
}

fn srand48(ctx: Ctx) -> Answer {
    let seed = ctx.int(0) as u32;
    ctx.state().congruential = Congruential::seeded(seed);
    unit()
}

fn seed48(ctx: Ctx) -> Answer {
    let mut raw = [0; 8];
    raw[..6].copy_from_slice(&ctx.read(ctx.ptr(0), 6, 0)?[..6]);
    let old = ctx.state().congruential.x;
    ctx.state().congruential = Congruential { x: u64::from_le_bytes(raw), ..Congruential::default() };
    let place = ctx.static_object("the old state of seed48", 8);
    ctx.memory().write(place, &old.to_le_bytes()[..6]);
    pointer(place)
}

fn lcong48(ctx: Ctx) -> Answer {
    let raw = ctx.read(ctx.ptr(0), 14, 0)?;
    let part = |at: usize, bytes: usize| {
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(&raw[at..at + bytes]);
        u64::from_le_bytes(word)
    };
    ctx.state().congruential = Congruential { x: part(0, 6), a: part(6, 6), c: part(12, 2) };
    unit()
}

fn exit(ctx: Ctx) -> Answer {
    let status = ctx.i32(0);
    Err(ctx.exit(status))
}

fn exit_now(ctx: Ctx) -> Answer {
    let status = ctx.i32(0);
    Err(ctx.exit_now(status))
}

fn atexit(ctx: Ctx) -> Answer {
    let function = ctx.ptr(0);
    if function.is_null() {
        ctx.bad_argument(0, "the function is null")?;
        return int(0);
    }
    ctx.at_exit(function, None);
    int(0)
}

fn cxa_atexit(ctx: Ctx) -> Answer {
    let (function, argument) = (ctx.ptr(0), ctx.arg(1));
    ctx.at_exit(function, Some(argument));
    int(0)
}

fn on_exit(ctx: Ctx) -> Answer {
    Err(ctx.unsupported("on_exit: its functions get the exit status, which the interpreter does not pass on"))
}

/// `quick_exit` runs these; it is refused at their registration rather than silently left out.
fn at_quick_exit(ctx: Ctx) -> Answer {
    Err(ctx.unsupported("at_quick_exit"))
}

fn abort(ctx: Ctx) -> Answer {
    let message = "`abort` is called";
    ctx.violate(clew_ir::obligation::CheckKind::ErrorCall, message)?;
    // A handler may end the run in another way; one that returns does not stop it from ending.
    super::signal::handle(ctx, SIGABRT)?;
    Err(ctx.kill(SIGABRT))
}

fn system(ctx: Ctx) -> Answer {
    if ctx.ptr(0).is_null() {
        // There is no command processor here.
        return int(0);
    }
    Err(ctx.unsupported("system: other programs are not started"))
}

fn canonical(ctx: &mut NativeCtx<'_, '_>) -> Result<Result<Vec<u8>, Errno>, Stop> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let found = std::fs::canonicalize(std::ffi::OsStr::from_bytes(&path));
    Ok(found.map(|path| path.into_os_string().into_vec()).map_err(Errno::from))
}

fn realpath(ctx: Ctx) -> Answer {
    if ctx.ptr(0).is_null() {
        return ctx.fail_null(Errno::EINVAL);
    }
    let buffer = ctx.ptr(1);
    match canonical(ctx)? {
        Err(error) => ctx.fail_null(error),
        Ok(path) if buffer.is_null() => pointer(ctx.heap_string(&path)),
        Ok(path) => {
            ctx.write_c_string(buffer, &path, 1)?;
            pointer(buffer)
        }
    }
}

fn canonicalize(ctx: Ctx) -> Answer {
    match canonical(ctx)? {
        Err(error) => ctx.fail_null(error),
        Ok(path) => pointer(ctx.heap_string(&path)),
    }
}

fn a64l(ctx: Ctx) -> Answer {
    const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let text = ctx.c_string(ctx.ptr(0), 0)?;
    let mut value = 0u32;
    for (index, byte) in text.iter().take(6).enumerate() {
        let Some(digit) = DIGITS.iter().position(|d| d == byte) else { break };
        value |= (digit as u32).wrapping_shl(6 * index as u32);
    }
    int(value as i32)
}

fn getloadavg(_: Ctx) -> Answer {
    int(-1)
}

/// Fills in the six X of a template and tries until a fresh name works.
fn with_fresh_name<T>(
    ctx: &mut NativeCtx<'_, '_>,
    make: impl Fn(&[u8]) -> rustix::io::Result<T>,
) -> Result<Result<T, Errno>, Stop> {
    const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let place = ctx.ptr(0);
    let mut name = ctx.c_string(place, 0)?;
    let Some(start) = name.len().checked_sub(6).filter(|s| &name[*s..] == b"XXXXXX") else {
        return Ok(Err(Errno::EINVAL));
    };
    let clock = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let mut seed = clock.tv_nsec as u64 ^ (u64::from(std::process::id()) << 32) ^ clock.tv_sec as u64;
    for _ in 0..1000 {
        for byte in &mut name[start..] {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = LETTERS[(seed >> 33) as usize % LETTERS.len()];
        }
        match make(&name) {
            Ok(made) => {
                ctx.write(place, &name, 0)?;
                return Ok(Ok(made));
            }
            Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Ok(Err(error.into())),
        }
    }
    Ok(Err(Errno::EEXIST))
}

fn mkstemp(ctx: Ctx) -> Answer {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
    let made = with_fresh_name(ctx, |name| rustix::fs::open(name, flags, Mode::from_raw_mode(0o600)))?;
    match made {
        Ok(fd) => {
            let number = ctx.with_files(|f| f.table.insert(super::descriptors::Handle::System(fd), 0));
            int(number)
        }
        Err(error) => ctx.fail(error),
    }
}

fn mkdtemp(ctx: Ctx) -> Answer {
    let made = with_fresh_name(ctx, |name| rustix::fs::mkdir(name, rustix::fs::Mode::from_raw_mode(0o700)))?;
    match made {
        Ok(()) => pointer(ctx.ptr(0)),
        Err(error) => ctx.fail_null(error),
    }
}

fn getsubopt(ctx: Ctx) -> Answer {
    let (option, tokens, value) = (ctx.ptr(0), ctx.ptr(1), ctx.ptr(2));
    let start = ctx.read_ptr(option, 0)?;
    let text = ctx.c_string(start, 0)?;
    ctx.write_ptr(value, Pointer::NULL, 2)?;
    if text.is_empty() {
        return int(-1);
    }
    let end = text.iter().position(|b| *b == b',').unwrap_or(text.len());
    let name_end = text[..end].iter().position(|b| *b == b'=').unwrap_or(end);
    let mut found = -1;
    for index in 0.. {
        let token = ctx.read_ptr(tokens.add(index * 8), 1)?;
        if token.is_null() {
            break;
        }
        if ctx.c_string(token, 1)? == text[..name_end] {
            found = index as i32;
            break;
        }
    }
    let value_at = if found >= 0 { (name_end < end).then_some(name_end + 1) } else { Some(0) };
    if let Some(at) = value_at {
        ctx.write_ptr(value, start.add(at as u64), 2)?;
    }
    if end < text.len() {
        ctx.write_int(start.add(end as u64), IntType::I8, 0, 0)?;
    }
    let next = (end + usize::from(end < text.len())) as u64;
    ctx.write_ptr(option, start.add(next), 0)?;
    int(found)
}
