// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<sys/socket.h>` and `<arpa/inet.h>` under a closed host: the other side of every connection sends what the host
//! says, and takes whatever it is sent. Without that there is no network. Real networks are never touched.

use clew_base::int::IntType;

use super::Table;
use super::closed_files::file_of;
use super::context::{Answer, int};
use super::descriptors::{Files, Handle, Io};
use super::errno::Errno;
use super::unistd::{MOST, read_with};
use crate::machine::Stop;
use crate::native::NativeCtx;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions that need no network.
pub const TABLE: Table = &[("inet_addr", inet_addr)];

/// The others.
pub const CLOSED: Table = &[
    ("socket", socket),
    ("bind", bind),
    ("connect", bind),
    ("listen", listen),
    ("shutdown", listen),
    ("setsockopt", setsockopt),
    ("accept", accept),
    ("recv", recv),
    ("recvfrom", recvfrom),
    ("send", send),
    ("sendto", sendto),
];

/// The bytes of an address of the internet.
const ADDRESS: u64 = 16;
/// Its family, as its first byte.
const AF_INET: u8 = 2;
const MSG_PEEK: i32 = 2;

/// A new descriptor to what the other side sends.
fn connection(ctx: &mut NativeCtx<'_, '_>) -> Answer {
    let Some(bytes) = ctx.host().network() else { return ctx.fail(Errno::EACCES) };
    match file_of(&bytes) {
        Ok(fd) => int(ctx.with_files(|files| files.table.insert(Handle::Socket(fd), 0))),
        Err(error) => ctx.fail(error),
    }
}

fn is_socket(files: &Files<'_>, number: i32) -> Io<()> {
    match files.table.get(number)? {
        Handle::Socket(_) => Ok(()),
        _ => Err(Errno::ENOTSOCK),
    }
}

/// Success, if the first argument is a socket.
fn done(ctx: &mut NativeCtx<'_, '_>) -> Answer {
    let number = ctx.i32(0);
    let answer = ctx.with_files(|files| is_socket(files, number));
    ctx.status(answer)
}

fn socket(ctx: Ctx) -> Answer {
    connection(ctx)
}

fn bind(ctx: Ctx) -> Answer {
    let (address, length) = (ctx.ptr(1), ctx.size(2) & 0xffff_ffff);
    ctx.check_read(address, length, 1)?;
    done(ctx)
}

fn listen(ctx: Ctx) -> Answer {
    done(ctx)
}

fn setsockopt(ctx: Ctx) -> Answer {
    let (value, length) = (ctx.ptr(3), ctx.size(4) & 0xffff_ffff);
    if !value.is_null() {
        ctx.check_read(value, length, 3)?;
    }
    done(ctx)
}

/// The address of the other side, which is all zeros, as far as there is room.
fn other_side(ctx: &mut NativeCtx<'_, '_>, first: usize) -> Result<(), Stop> {
    let (address, length) = (ctx.ptr(first), ctx.ptr(first + 1));
    if address.is_null() {
        return Ok(());
    }
    let room = ctx.read_int(length, IntType::U32, first + 1)? as u64;
    ctx.check_write(address, room, first)?;
    let mut bytes = [0; ADDRESS as usize];
    bytes[0] = AF_INET;
    ctx.write(address, &bytes[..room.min(ADDRESS) as usize], first)?;
    ctx.write_int(length, IntType::U32, i128::from(ADDRESS), first + 1)
}

fn accept(ctx: Ctx) -> Answer {
    other_side(ctx, 1)?;
    let number = ctx.i32(0);
    match ctx.with_files(|files| is_socket(files, number)) {
        Ok(()) => connection(ctx),
        Err(error) => ctx.fail(error),
    }
}

fn recv(ctx: Ctx) -> Answer {
    let (number, peeks) = (ctx.i32(0), ctx.i32(3) & MSG_PEEK != 0);
    read_with(ctx, |ctx, buffer| {
        ctx.with_files(|files| {
            is_socket(files, number)?;
            if !peeks {
                return files.read(number, buffer);
            }
            let fd = files.table.system(number)?;
            Ok(rustix::io::pread(fd, buffer, rustix::fs::tell(fd)?)?)
        })
    })
}

fn recvfrom(ctx: Ctx) -> Answer {
    other_side(ctx, 4)?;
    recv(ctx)
}

fn send(ctx: Ctx) -> Answer {
    let (number, from, bytes) = (ctx.i32(0), ctx.ptr(1), ctx.size(2).min(MOST));
    if bytes > 0 {
        ctx.check_read(from, bytes, 1)?;
    }
    match ctx.with_files(|files| is_socket(files, number)) {
        Ok(()) => int(bytes as i64),
        Err(error) => ctx.fail(error),
    }
}

fn sendto(ctx: Ctx) -> Answer {
    let (address, length) = (ctx.ptr(4), ctx.size(5) & 0xffff_ffff);
    if !address.is_null() {
        ctx.check_read(address, length, 4)?;
    }
    send(ctx)
}

fn inet_addr(ctx: Ctx) -> Answer {
    let text = ctx.c_string(ctx.ptr(0), 0)?;
    int(address_of(&text).map_or(u32::MAX, u32::to_be))
}

/// One to four numbers with dots between them: the last one fills what the others leave. White space ends them.
fn address_of(text: &[u8]) -> Option<u32> {
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    let parts: Vec<u32> = text[..end].split(|byte| *byte == b'.').map(number).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    if first.len() > 3 || first.iter().any(|part| *part > 255) {
        return None;
    }
    let bits = 32 - 8 * first.len() as u32;
    if bits < 32 && *last >= 1 << bits {
        return None;
    }
    let head = first.iter().enumerate().map(|(at, part)| part << (24 - 8 * at)).sum::<u32>();
    Some(head | last)
}

/// A number as C writes them.
fn number(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'))?;
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+')),
        None if text.len() > 1 && text.starts_with('0') => u32::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::address_of;

    #[test]
    fn addresses_are_read_as_glibc_reads_them() {
        assert_eq!(address_of(b"127.0.0.1"), Some(0x7f00_0001));
        assert_eq!(address_of(b"0x7f.1"), Some(0x7f00_0001));
        assert_eq!(address_of(b"1.2.3"), Some(0x0102_0003));
        assert_eq!(address_of(b"010 rest"), Some(8));
        for none in [&b""[..], b"256.0.0.1", b"1.2.3.4.5", b"1..2", b"a", b"1.2.3.256", b"+1"] {
            assert_eq!(address_of(none), None);
        }
    }
}
