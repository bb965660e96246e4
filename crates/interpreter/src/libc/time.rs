// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<time.h>` and `<sys/time.h>`: clocks and dates.

use clew_base::int::IntType;
use rustix::time::{ClockId, Timespec, clock_getres, clock_gettime};

use super::Table;
use super::calendar::{self, Tm};
use super::context::{Answer, INT, LONG, int, null, pointer, unit};
use super::environment;
use super::errno::Errno;
use super::timezone::{LocalType, Zone};
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::{Pointer, Value};

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("time", time),
    ("clock", clock),
    ("difftime", difftime),
    ("gettimeofday", gettimeofday),
    ("clock_gettime", clock_get_time),
    ("clock_getres", clock_get_res),
    ("timespec_get", timespec_get),
    ("gmtime", |c| to_static(c, false)),
    ("gmtime_r", |c| to_given(c, false)),
    ("localtime", |c| to_static(c, true)),
    ("localtime_r", |c| to_given(c, true)),
    ("mktime", mktime),
    ("timegm", timegm),
    ("timelocal", mktime),
    ("asctime", asctime),
    ("asctime_r", asctime_r),
    ("ctime", ctime),
    ("ctime_r", ctime_r),
    ("strftime", strftime),
    ("tzset", tzset),
    ("nanosleep", nanosleep),
    ("sleep", sleep),
    ("usleep", usleep),
    ("times", times),
    ("getrusage", getrusage),
    ("getrlimit", getrlimit),
    ("getrlimit64", getrlimit),
    ("setrlimit", setrlimit),
];

fn time(ctx: Ctx) -> Answer {
    let now = clock_gettime(ClockId::Realtime).tv_sec;
    let place = ctx.ptr(0);
    if !place.is_null() {
        ctx.write_int(place, LONG, i128::from(now), 0)?;
    }
    int(now)
}

fn clock(_: Ctx) -> Answer {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    int(used.tv_sec * 1_000_000 + used.tv_nsec / 1000)
}

fn difftime(ctx: Ctx) -> Answer {
    let (a, b) = (ctx.i64(0), ctx.i64(1));
    Ok(Value::f64((i128::from(a) - i128::from(b)) as f64))
}

fn write_pair(
    ctx: &mut NativeCtx<'_, '_>,
    place: Pointer,
    (first, second): (i64, i64),
    argument: usize,
) -> Result<(), Stop> {
    ctx.write_int(place, LONG, i128::from(first), argument)?;
    ctx.write_int(place.add(8), LONG, i128::from(second), argument)
}

fn gettimeofday(ctx: Ctx) -> Answer {
    let now = clock_gettime(ClockId::Realtime);
    let (place, zone) = (ctx.ptr(0), ctx.ptr(1));
    write_pair(ctx, place, (now.tv_sec, now.tv_nsec / 1000), 0)?;
    if !zone.is_null() {
        ctx.fill(zone, 0, 8, 1)?;
    }
    int(0)
}

fn clock_of(number: i32) -> Option<ClockId> {
    Some(match number {
        0 => ClockId::Realtime,
        1 => ClockId::Monotonic,
        2 => ClockId::ProcessCPUTime,
        3 => ClockId::ThreadCPUTime,
        4 => ClockId::MonotonicRaw,
        5 => ClockId::RealtimeCoarse,
        6 => ClockId::MonotonicCoarse,
        7 => ClockId::Boottime,
        _ => return None,
    })
}

fn answer_clock(ctx: &mut NativeCtx<'_, '_>, ask: fn(ClockId) -> Timespec) -> Answer {
    let place = ctx.ptr(1);
    let Some(clock) = clock_of(ctx.i32(0)) else { return ctx.fail(Errno::EINVAL) };
    let answer = ask(clock);
    if !place.is_null() {
        write_pair(ctx, place, (answer.tv_sec, answer.tv_nsec), 1)?;
    }
    int(0)
}

fn clock_get_time(ctx: Ctx) -> Answer {
    answer_clock(ctx, clock_gettime)
}

fn clock_get_res(ctx: Ctx) -> Answer {
    answer_clock(ctx, clock_getres)
}

fn timespec_get(ctx: Ctx) -> Answer {
    let (place, base) = (ctx.ptr(0), ctx.i32(1));
    if base != 1 {
        return int(0);
    }
    let now = clock_gettime(ClockId::Realtime);
    write_pair(ctx, place, (now.tv_sec, now.tv_nsec), 0)?;
    int(base)
}

/// The zone that `TZ` selects now.
fn zone(ctx: &mut NativeCtx<'_, '_>) -> Zone {
    let tz = environment::value(ctx, "TZ");
    if let Some((known, zone)) = &ctx.state().zone
        && *known == tz
    {
        return zone.clone();
    }
    let zone = Zone::select(tz.as_deref());
    ctx.state().zone = Some((tz, zone.clone()));
    publish(ctx, &zone);
    zone
}

/// Sets `tzname`, `timezone` and `daylight`.
fn publish(ctx: &mut NativeCtx<'_, '_>, zone: &Zone) {
    let (standard, daylight) = zone.standard_and_daylight();
    let names = ctx.library_variable("tzname");
    for (index, kind) in [standard, daylight].into_iter().enumerate() {
        let text = kind.or(standard).map_or("", |k| k.name.as_str()).to_owned();
        let name = zone_name(ctx, &text);
        ctx.memory().write_pointer(names.add(index as u64 * 8), name);
    }
    let west = -standard.map_or(0, |kind| kind.offset);
    let has_daylight = i32::from(daylight.is_some());
    let place = ctx.library_variable("timezone");
    ctx.memory().write(place, &west.to_le_bytes());
    let place = ctx.library_variable("daylight");
    ctx.memory().write(place, &has_daylight.to_le_bytes());
}

/// The abbreviation of a zone as a string of the library that stays.
fn zone_name(ctx: &mut NativeCtx<'_, '_>, name: &str) -> Pointer {
    if let Some((_, place)) = ctx.state().zone_names.iter().find(|(known, _)| known == name) {
        return *place;
    }
    let place = ctx.alloc_static(name.len() as u64 + 1, "the name of a time zone");
    ctx.memory().write(place, name.as_bytes());
    ctx.state().zone_names.push((name.to_owned(), place));
    place
}

const TM_BYTES: u64 = 56;

/// Writes a `struct tm`: nine ints, the offset from Greenwich, the zone's name.
fn write_tm(
    ctx: &mut NativeCtx<'_, '_>,
    place: Pointer,
    tm: &Tm,
    zone: &str,
    argument: usize,
) -> Result<(), Stop> {
    let fields = [tm.sec, tm.min, tm.hour, tm.mday, tm.mon, tm.year, tm.wday, tm.yday, tm.isdst];
    let mut bytes: Vec<u8> = fields.iter().flat_map(|f| f.to_le_bytes()).collect();
    bytes.resize(40, 0);
    bytes.extend(tm.gmtoff.to_le_bytes());
    ctx.write(place, &bytes, argument)?;
    let name = zone_name(ctx, zone);
    ctx.write_ptr(place.add(48), name, argument)
}

/// Reads a `struct tm`; the fields C does not know are taken only if they were written.
fn read_tm(ctx: &mut NativeCtx<'_, '_>, place: Pointer, argument: usize) -> Result<Tm, Stop> {
    let mut fields = [0; 9];
    for (index, field) in fields.iter_mut().enumerate() {
        *field = ctx.read_int(place.add(index as u64 * 4), INT, argument)? as i32;
    }
    let [sec, min, hour, mday, mon, year, wday, yday, isdst] = fields;
    let known = ctx.memory().is_initialised(place.add(40), 8, None) && ctx.object_has(place, TM_BYTES);
    let gmtoff = if known { ctx.read_int(place.add(40), IntType::I64, argument)? as i64 } else { 0 };
    Ok(Tm { sec, min, hour, mday, mon, year, wday, yday, isdst, gmtoff })
}

impl NativeCtx<'_, '_> {
    fn object_has(&self, place: Pointer, bytes: u64) -> bool {
        self.machine.memory.remaining(place).is_some_and(|left| left >= bytes)
    }
}

/// The time at a pointer, broken down, with the name of its zone.
fn broken_down(ctx: &mut NativeCtx<'_, '_>, local: bool) -> Result<Option<(Tm, String)>, Stop> {
    let seconds = ctx.read_int(ctx.ptr(0), LONG, 0)? as i64;
    let kind = if local {
        zone(ctx).at(seconds).clone()
    } else {
        LocalType { offset: 0, dst: false, name: "GMT".into() }
    };
    match calendar::break_down(seconds, kind.offset, kind.dst) {
        Some(tm) => Ok(Some((tm, kind.name))),
        None => {
            ctx.set_errno(Errno::EOVERFLOW.0);
            Ok(None)
        }
    }
}

fn to_place(ctx: &mut NativeCtx<'_, '_>, local: bool, place: Pointer, argument: usize) -> Answer {
    match broken_down(ctx, local)? {
        None => null(),
        Some((tm, name)) => {
            write_tm(ctx, place, &tm, &name, argument)?;
            pointer(place)
        }
    }
}

fn to_static(ctx: Ctx, local: bool) -> Answer {
    let place = ctx.static_object("the result of localtime", TM_BYTES);
    to_place(ctx, local, place, 0)
}

fn to_given(ctx: Ctx, local: bool) -> Answer {
    let place = ctx.ptr(1);
    to_place(ctx, local, place, 1)
}

fn mktime(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let given = read_tm(ctx, place, 0)?;
    let zone = zone(ctx);
    let wanted = calendar::seconds_of(&given);
    let [first, second] = zone.candidates(wanted);
    // Where both read back as the wanted local time, the program's flag chooses; where none does, the first is taken.
    let fits = |s: i64| s + zone.at(s).offset == wanted;
    let flag_fits = |s: i64| given.isdst < 0 || zone.at(s).dst == (given.isdst > 0);
    let seconds = [first, second]
        .into_iter()
        .find(|s| fits(*s) && flag_fits(*s))
        .or_else(|| [first, second].into_iter().find(|s| flag_fits(*s)))
        .unwrap_or(first);
    let kind = zone.at(seconds).clone();
    let seconds =
        if given.isdst > 0 && !kind.dst { shifted(&zone, wanted).unwrap_or(seconds) } else { seconds };
    let kind = zone.at(seconds).clone();
    match calendar::break_down(seconds, kind.offset, kind.dst) {
        None => ctx.fail(Errno::EOVERFLOW),
        Some(tm) => {
            write_tm(ctx, place, &tm, &kind.name, 0)?;
            int(seconds)
        }
    }
}

/// Local time that claims daylight saving where there is none: an hour earlier, if the zone ever saves.
fn shifted(zone: &Zone, wanted: i64) -> Option<i64> {
    let daylight = zone.standard_and_daylight().1?;
    Some(wanted - daylight.offset)
}

fn timegm(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let given = read_tm(ctx, place, 0)?;
    let seconds = calendar::seconds_of(&given);
    match calendar::break_down(seconds, 0, false) {
        None => ctx.fail(Errno::EOVERFLOW),
        Some(tm) => {
            write_tm(ctx, place, &tm, "GMT", 0)?;
            int(seconds)
        }
    }
}

fn asctime(ctx: Ctx) -> Answer {
    let tm = read_tm(ctx, ctx.ptr(0), 0)?;
    pointer(ctx.static_text("the result of asctime", calendar::asctime(&tm).as_bytes()))
}

fn asctime_r(ctx: Ctx) -> Answer {
    let tm = read_tm(ctx, ctx.ptr(0), 0)?;
    let place = ctx.ptr(1);
    ctx.write_c_string(place, calendar::asctime(&tm).as_bytes(), 1)?;
    pointer(place)
}

/// The calendar goes through the object that `localtime` has.
fn ctime(ctx: Ctx) -> Answer {
    let place = ctx.static_object("the result of localtime", TM_BYTES);
    match broken_down(ctx, true)? {
        None => null(),
        Some((tm, name)) => {
            write_tm(ctx, place, &tm, &name, 0)?;
            pointer(ctx.static_text("the result of asctime", calendar::asctime(&tm).as_bytes()))
        }
    }
}

fn ctime_r(ctx: Ctx) -> Answer {
    let place = ctx.ptr(1);
    match broken_down(ctx, true)? {
        None => null(),
        Some((tm, _)) => {
            ctx.write_c_string(place, calendar::asctime(&tm).as_bytes(), 1)?;
            pointer(place)
        }
    }
}

fn strftime(ctx: Ctx) -> Answer {
    let (place, size) = (ctx.ptr(0), ctx.size(1));
    let format = ctx.c_string(ctx.ptr(2), 2)?;
    let tm_place = ctx.ptr(3);
    let tm = read_tm(ctx, tm_place, 3)?;
    let zone = zone(ctx);
    let local = calendar::seconds_of(&tm);
    let seconds = zone.candidates(local)[0];
    let named = ctx.memory().is_initialised(tm_place.add(48), 8, None) && ctx.object_has(tm_place, TM_BYTES);
    let name_place = if named { ctx.read_ptr(tm_place.add(48), 3)? } else { Pointer::NULL };
    let name = if name_place.is_null() { Vec::new() } else { ctx.c_string(name_place, 3)? };
    let text = calendar::strftime(&format, &tm, &name, seconds);
    if text.len() as u64 >= size {
        return int(0);
    }
    ctx.write_c_string(place, &text, 0)?;
    int(text.len() as u64)
}

fn tzset(ctx: Ctx) -> Answer {
    let zone = zone(ctx);
    publish(ctx, &zone);
    unit()
}

fn nanosleep(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let seconds = ctx.read_int(place, LONG, 0)? as i64;
    let nanoseconds = ctx.read_int(place.add(8), LONG, 0)? as i64;
    if seconds < 0 || !(0..1_000_000_000).contains(&nanoseconds) {
        return ctx.fail(Errno::EINVAL);
    }
    std::thread::sleep(std::time::Duration::new(seconds as u64, nanoseconds as u32));
    int(0)
}

fn sleep(ctx: Ctx) -> Answer {
    let seconds = u64::from(ctx.int(0) as u32);
    std::thread::sleep(std::time::Duration::from_secs(seconds));
    int(0)
}

fn usleep(ctx: Ctx) -> Answer {
    let microseconds = u64::from(ctx.int(0) as u32);
    std::thread::sleep(std::time::Duration::from_micros(microseconds));
    int(0)
}

/// `struct tms`: four counts of hundredths of a second.
fn times(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let used = clock_gettime(ClockId::ProcessCPUTime);
    let ticks = used.tv_sec * 100 + used.tv_nsec / 10_000_000;
    if !place.is_null() {
        ctx.fill(place, 0, 32, 0)?;
        ctx.write_int(place, LONG, i128::from(ticks), 0)?;
    }
    let since_boot = clock_gettime(ClockId::Boottime);
    int(since_boot.tv_sec * 100 + since_boot.tv_nsec / 10_000_000)
}

/// `struct rusage`: the time used so far; the other counts are zero.
fn getrusage(ctx: Ctx) -> Answer {
    let place = ctx.ptr(1);
    let used = clock_gettime(ClockId::ProcessCPUTime);
    ctx.fill(place, 0, 144, 1)?;
    write_pair(ctx, place, (used.tv_sec, used.tv_nsec / 1000), 1)?;
    int(0)
}

/// The stack is as large as the options say; nothing else is limited.
fn getrlimit(ctx: Ctx) -> Answer {
    /// `RLIMIT_STACK`
    const STACK: i32 = 3;
    let place = ctx.ptr(1);
    let limit = if ctx.i32(0) == STACK { ctx.options().stack_limit as i64 } else { -1 };
    write_pair(ctx, place, (limit, -1), 1)?;
    int(0)
}

fn setrlimit(ctx: Ctx) -> Answer {
    Err(ctx.unsupported("setrlimit: limits are options of the run"))
}
