// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dates and clocks: seconds since 1970 to and from `struct tm`, and `strftime` in the C locale.

/// `struct tm`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tm {
    /// Seconds, 0 to 60.
    pub sec: i32,
    /// Minutes.
    pub min: i32,
    /// Hours.
    pub hour: i32,
    /// Day of the month, from 1.
    pub mday: i32,
    /// Month, from 0.
    pub mon: i32,
    /// Years since 1900.
    pub year: i32,
    /// Day of the week, Sunday 0.
    pub wday: i32,
    /// Day of the year, from 0.
    pub yday: i32,
    /// Daylight saving time in force.
    pub isdst: i32,
    /// Seconds east of Greenwich.
    pub gmtoff: i64,
}

const DAY: i64 = 86_400;

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar; `month` from 1.
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// Broken-down time of seconds since 1970, `offset` seconds east of Greenwich; none if the year does not fit.
pub fn break_down(seconds: i64, offset: i64, isdst: bool) -> Option<Tm> {
    let local = seconds.checked_add(offset)?;
    let (days, rest) = (local.div_euclid(DAY), local.rem_euclid(DAY));
    let (year, month, day) = civil_from_days(days);
    Some(Tm {
        sec: (rest % 60) as i32,
        min: (rest / 60 % 60) as i32,
        hour: (rest / 3600) as i32,
        mday: day as i32,
        mon: month as i32 - 1,
        year: i32::try_from(year - 1900).ok()?,
        wday: (days + 4).rem_euclid(7) as i32,
        yday: (days - days_from_civil(year, 1, 1)) as i32,
        isdst: i32::from(isdst),
        gmtoff: offset,
    })
}

/// Seconds since 1970 of fields that need not be in their ranges, read as Greenwich time.
pub fn seconds_of(tm: &Tm) -> i64 {
    let months = i64::from(tm.mon);
    let year = i64::from(tm.year) + 1900 + months.div_euclid(12);
    let days = days_from_civil(year, months.rem_euclid(12) + 1, 1) + i64::from(tm.mday) - 1;
    days * DAY + i64::from(tm.hour) * 3600 + i64::from(tm.min) * 60 + i64::from(tm.sec)
}

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn name<'a>(names: &[&'a str], index: i32) -> &'a str {
    usize::try_from(index).ok().and_then(|i| names.get(i)).copied().unwrap_or("?")
}

fn short<'a>(names: &[&'a str], index: i32) -> &'a str {
    let full = name(names, index);
    &full[..full.len().min(3)]
}

/// What `asctime` prints.
pub fn asctime(tm: &Tm) -> String {
    let short = |names, index| match short(names, index) {
        "?" => "???",
        text => text,
    };
    format!(
        "{} {}{:>3} {:02}:{:02}:{:02} {}\n",
        short(&DAYS, tm.wday),
        short(&MONTHS, tm.mon),
        tm.mday,
        tm.hour,
        tm.min,
        tm.sec,
        i64::from(tm.year) + 1900
    )
}

/// Year and week of ISO 8601.
fn iso_week(tm: &Tm) -> (i64, i64) {
    let weekday = (i64::from(tm.wday) + 6) % 7;
    let week = (i64::from(tm.yday) - weekday + 10).div_euclid(7);
    let year = i64::from(tm.year) + 1900;
    let weeks_in = |year: i64| {
        let first = (days_from_civil(year, 1, 1) + 3).rem_euclid(7);
        let leap = days_from_civil(year + 1, 1, 1) - days_from_civil(year, 1, 1) == 366;
        if first == 3 || (leap && first == 2) { 53 } else { 52 }
    };
    if week < 1 {
        (year - 1, weeks_in(year - 1))
    } else if week > weeks_in(year) {
        (year + 1, 1)
    } else {
        (year, week)
    }
}

/// How a field of `strftime` is padded, from the flag after `%`.
#[derive(Clone, Copy)]
struct Style {
    pad: Option<u8>,
    width: usize,
    upper: bool,
    swap: bool,
}

/// What `strftime` prints. `zone` is the zone's abbreviation, `seconds` the time for `%s`.
pub fn strftime(format: &[u8], tm: &Tm, zone: &[u8], seconds: i64) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            out.push(format[at]);
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        let mut style = Style { pad: None, width: 0, upper: false, swap: false };
        while let Some(flag @ (b'_' | b'-' | b'0' | b'^' | b'#' | b'+')) = format.get(at) {
            match flag {
                b'^' => style.upper = true,
                b'#' => style.swap = true,
                _ => style.pad = Some(*flag),
            }
            at += 1;
        }
        while let Some(digit @ b'0'..=b'9') = format.get(at) {
            style.width = (style.width * 10 + usize::from(digit - b'0')).min(1 << 20);
            at += 1;
        }
        if matches!(format.get(at), Some(b'E' | b'O')) {
            at += 1;
        }
        let Some(&conversion) = format.get(at) else {
            out.extend_from_slice(&format[start..]);
            break;
        };
        at += 1;
        if !convert(&mut out, conversion, style, tm, zone, seconds) {
            out.extend_from_slice(&format[start..at]);
        }
    }
    out
}

fn number(out: &mut Vec<u8>, style: Style, value: i64, digits: usize, pad: u8) {
    let pad = match style.pad {
        Some(b'_') => Some(b' '),
        Some(b'-') => None,
        Some(_) => Some(b'0'),
        None => Some(pad),
    };
    let text = value.unsigned_abs().to_string();
    let width = style.width.max(digits);
    let sign = usize::from(value < 0);
    let fill = pad.map_or(0, |_| width.saturating_sub(text.len() + sign));
    let fill_byte = pad.unwrap_or(b' ');
    if fill_byte == b' ' {
        out.resize(out.len() + fill, b' ');
    }
    if value < 0 {
        out.push(b'-');
    }
    if fill_byte == b'0' {
        out.resize(out.len() + fill, b'0');
    }
    out.extend_from_slice(text.as_bytes());
}

fn text(out: &mut Vec<u8>, style: Style, bytes: &[u8]) {
    let fill = style.width.saturating_sub(bytes.len());
    out.resize(out.len() + fill, if style.pad == Some(b'0') { b'0' } else { b' ' });
    let start = out.len();
    out.extend_from_slice(bytes);
    if style.upper {
        out[start..].make_ascii_uppercase();
    }
}

fn convert(out: &mut Vec<u8>, conversion: u8, style: Style, tm: &Tm, zone: &[u8], seconds: i64) -> bool {
    let year = i64::from(tm.year) + 1900;
    let hour12 = match tm.hour.rem_euclid(12) {
        0 => 12,
        hour => hour,
    };
    let mut composite = |format: &[u8]| {
        let inner = strftime(format, tm, zone, seconds);
        text(out, style, &inner);
    };
    match conversion {
        b'c' => composite(b"%a %b %e %H:%M:%S %Y"),
        b'D' | b'x' => composite(b"%m/%d/%y"),
        b'F' => composite(b"%Y-%m-%d"),
        b'r' => composite(b"%I:%M:%S %p"),
        b'R' => composite(b"%H:%M"),
        b'T' | b'X' => composite(b"%H:%M:%S"),
        _ => return convert_simple(out, conversion, style, tm, (zone, seconds), (year, hour12)),
    }
    true
}

fn convert_simple(
    out: &mut Vec<u8>,
    conversion: u8,
    style: Style,
    tm: &Tm,
    (zone, seconds): (&[u8], i64),
    (year, hour12): (i64, i32),
) -> bool {
    // Years and centuries are padded only if a flag asks for it.
    let yearish = |digits: usize| if style.pad.is_some() { digits } else { 0 };
    let monday_based = (i64::from(tm.wday) + 6).rem_euclid(7);
    let mut n = |value: i64, digits, pad| number(out, style, value, digits, pad);
    match conversion {
        b'C' => n(year.div_euclid(100), yearish(2), b'0'),
        b'd' => n(i64::from(tm.mday), 2, b'0'),
        b'e' => n(i64::from(tm.mday), 2, b' '),
        b'H' => n(i64::from(tm.hour), 2, b'0'),
        b'k' => n(i64::from(tm.hour), 2, b' '),
        b'I' => n(i64::from(hour12), 2, b'0'),
        b'l' => n(i64::from(hour12), 2, b' '),
        b'j' => n(i64::from(tm.yday) + 1, 3, b'0'),
        b'm' => n(i64::from(tm.mon) + 1, 2, b'0'),
        b'M' => n(i64::from(tm.min), 2, b'0'),
        b'S' => n(i64::from(tm.sec), 2, b'0'),
        b's' => n(seconds, 1, b'0'),
        b'u' => n(monday_based + 1, 1, b'0'),
        b'w' => n(i64::from(tm.wday), 1, b'0'),
        b'U' => n((i64::from(tm.yday) - i64::from(tm.wday) + 7) / 7, 2, b'0'),
        b'W' => n((i64::from(tm.yday) - monday_based + 7) / 7, 2, b'0'),
        b'V' => n(iso_week(tm).1, 2, b'0'),
        b'G' => n(iso_week(tm).0, yearish(4), b'0'),
        b'g' => n(iso_week(tm).0.rem_euclid(100), 2, b'0'),
        b'y' => n(year.rem_euclid(100), 2, b'0'),
        b'Y' => n(year, yearish(4), b'0'),
        b'a' => text(out, upper(style), short(&DAYS, tm.wday).as_bytes()),
        b'A' => text(out, upper(style), name(&DAYS, tm.wday).as_bytes()),
        b'b' | b'h' => text(out, upper(style), short(&MONTHS, tm.mon).as_bytes()),
        b'B' => text(out, upper(style), name(&MONTHS, tm.mon).as_bytes()),
        b'p' => {
            let half: &[u8] = match (tm.hour > 11, style.swap) {
                (true, false) => b"PM",
                (true, true) => b"pm",
                (false, false) => b"AM",
                (false, true) => b"am",
            };
            text(out, style, half);
        }
        b'P' => text(out, style, if tm.hour > 11 { b"pm" } else { b"am" }),
        b'Z' => {
            let lower = zone.to_ascii_lowercase();
            text(out, style, if style.swap { &lower } else { zone });
        }
        b'z' => {
            let minutes = tm.gmtoff.abs() / 60;
            out.push(if tm.gmtoff < 0 { b'-' } else { b'+' });
            number(out, style, minutes / 60 * 100 + minutes % 60, 4, b'0');
        }
        b'n' => text(out, style, b"\n"),
        b't' => text(out, style, b"\t"),
        b'%' => text(out, style, b"%"),
        _ => return false,
    }
    true
}

/// `#` before a name asks for capitals.
fn upper(style: Style) -> Style {
    Style { upper: style.upper || style.swap, ..style }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_there_and_back() {
        for seconds in [0, -1, 951_782_400, 1_700_000_000, -62_135_596_800, 253_402_300_799] {
            let tm = break_down(seconds, 0, false).unwrap();
            assert_eq!(seconds_of(&tm), seconds);
        }
        let tm = break_down(951_782_400, 0, false).unwrap();
        assert_eq!((tm.year, tm.mon, tm.mday, tm.wday, tm.yday), (100, 1, 29, 2, 59));
    }

    #[test]
    fn formats() {
        let tm = break_down(1_700_000_000, 0, false).unwrap();
        let print = |f: &str| String::from_utf8(strftime(f.as_bytes(), &tm, b"UTC", 1_700_000_000)).unwrap();
        assert_eq!(
            print("%c|%x %X|%j %U %W %V %G"),
            "Tue Nov 14 22:13:20 2023|11/14/23 22:13:20|318 46 46 46 2023"
        );
        assert_eq!(
            print("%-d %_m %10Y %^a %p %I %z %Z %s"),
            "14 11 0000002023 TUE PM 10 +0000 UTC 1700000000"
        );
        assert_eq!(asctime(&tm), "Tue Nov 14 22:13:20 2023\n");
    }
}
