// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<locale.h>` and `<langinfo.h>`: the C locale, the only one.

use super::Table;
use super::context::{Answer, null, pointer, unit};
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("setlocale", setlocale),
    ("localeconv", localeconv),
    ("nl_langinfo", nl_langinfo),
    ("newlocale", locale_object),
    ("uselocale", locale_object),
    ("duplocale", locale_object),
    ("freelocale", freelocale),
    ("gettext", gettext),
    ("dgettext", dgettext),
    ("dcgettext", dgettext),
    ("textdomain", textdomain),
    ("bindtextdomain", textdomain),
    ("bind_textdomain_codeset", textdomain),
];

/// Names that mean the C locale. The empty one is the environment's, which is read as C: other locales are not modelled.
fn setlocale(ctx: Ctx) -> Answer {
    let name = ctx.ptr(1);
    if !name.is_null() {
        let name = ctx.c_string(name, 1)?;
        if !matches!(&name[..], b"" | b"C" | b"POSIX") {
            return null();
        }
    }
    let name = ctx.static_text("the name of the locale", b"C");
    ctx.memory().make_read_only(name.prov);
    pointer(name)
}

fn localeconv(ctx: Ctx) -> Answer {
    const POINTERS: usize = 10;
    // The decimal point, then nine empty strings, then fourteen CHAR_MAX.
    let known = ctx.state().statics.contains_key("the result of localeconv");
    let place = ctx.static_object("the result of localeconv", 96);
    if !known {
        let point = ctx.static_text("the decimal point", b".");
        let empty = ctx.static_text("an empty string", b"");
        for index in 0..POINTERS {
            let text = if index == 0 { point } else { empty };
            ctx.memory().write_pointer(place.add(index as u64 * 8), text);
        }
        ctx.memory().fill(place.add(80), i8::MAX as u8, 14);
    }
    pointer(place)
}

/// Items of `<langinfo.h>` that programs ask for; others are empty.
fn nl_langinfo(ctx: Ctx) -> Answer {
    const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    let item = ctx.i32(0);
    let text: &str = match item {
        14 => "ANSI_X3.4-1968",
        0x10000 => ".",
        0x2_0000..=0x2_0006 => &DAYS[(item - 0x2_0000) as usize][..3],
        0x2_0007..=0x2_000d => DAYS[(item - 0x2_0007) as usize],
        0x2_0026 => "AM",
        0x2_0027 => "PM",
        0x2_0028 => "%a %b %e %H:%M:%S %Y",
        0x2_0029 => "%m/%d/%y",
        0x2_002a => "%H:%M:%S",
        0x5_0000 => "^[yY]",
        0x5_0001 => "^[nN]",
        _ => "",
    };
    pointer(ctx.static_text("the result of nl_langinfo", text.as_bytes()))
}

fn locale_object(ctx: Ctx) -> Answer {
    pointer(ctx.static_object("a locale", 232))
}

fn freelocale(_: Ctx) -> Answer {
    unit()
}

/// Without translations a message is its own translation.
fn gettext(ctx: Ctx) -> Answer {
    pointer(ctx.ptr(0))
}

fn dgettext(ctx: Ctx) -> Answer {
    pointer(ctx.ptr(1))
}

fn textdomain(ctx: Ctx) -> Answer {
    let given = ctx.ptr(0);
    pointer(if given == Pointer::NULL { ctx.static_text("the text domain", b"messages") } else { given })
}
