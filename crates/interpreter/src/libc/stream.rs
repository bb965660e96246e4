// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stands behind a `FILE`: buffers over a descriptor, flushed where glibc flushes them, so that the order in
//! which a reader of several streams sees the bytes is the same.

use std::os::fd::OwnedFd;

use rustix::fs::SeekFrom;

use super::descriptors::{Files, Io};
use super::errno::Errno;
use crate::value::Pointer;

/// When a stream's output leaves its buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffering {
    /// At once.
    None,
    /// At the end of a line, or when full.
    Line,
    /// When full.
    Full,
}

/// How a stream was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mode {
    /// May be read.
    pub read: bool,
    /// May be written.
    pub write: bool,
    /// Writes go to the end.
    pub append: bool,
}

impl Mode {
    /// The mode string of `fopen` and the flags it stands for; none if it has no meaning.
    pub fn parse(text: &[u8]) -> Option<(Mode, rustix::fs::OFlags)> {
        use rustix::fs::OFlags;
        let plus = text.iter().skip(1).take(6).any(|b| *b == b'+');
        let (mut mode, mut flags) = match text.first()? {
            b'r' => (Mode { read: true, write: plus, append: false }, OFlags::empty()),
            b'w' => (Mode { read: plus, write: true, append: false }, OFlags::CREATE | OFlags::TRUNC),
            b'a' => (Mode { read: plus, write: true, append: true }, OFlags::CREATE | OFlags::APPEND),
            _ => return None,
        };
        mode.read |= plus;
        for byte in text.iter().skip(1).take(6) {
            match byte {
                b'x' => flags |= OFlags::EXCL,
                b'e' => flags |= OFlags::CLOEXEC,
                b',' => break,
                _ => {}
            }
        }
        flags |= match (mode.read, mode.write) {
            (true, true) => OFlags::RDWR,
            (false, true) => OFlags::WRONLY,
            _ => OFlags::RDONLY,
        };
        Some((mode, flags))
    }
}

/// What a stream reads from or writes to.
#[derive(Debug)]
pub enum Backing {
    /// A descriptor of the program.
    Descriptor(i32),
    /// Bytes of our own (`open_memstream`, `fmemopen`) and a position in them.
    Memory {
        /// The contents.
        bytes: Vec<u8>,
        /// Where the next byte is read or written.
        at: usize,
    },
}

/// The state behind a `FILE`.
#[derive(Debug)]
pub struct Stream {
    backing: Backing,
    mode: Mode,
    buffering: Option<Buffering>,
    capacity: usize,
    /// Bytes read ahead, and how many of them the program has taken.
    ahead: Vec<u8>,
    taken: usize,
    /// Bytes put back, last first.
    put_back: Vec<u8>,
    /// Bytes written and not flushed.
    behind: Vec<u8>,
    /// The buffer that the program lent to it (`setvbuf`).
    lent: Pointer,
    /// The end-of-file indicator.
    pub eof: bool,
    /// The error indicator.
    pub error: bool,
}

impl Stream {
    /// A stream over a descriptor. Its buffering is settled at the first use, as in glibc.
    pub fn new(backing: Backing, mode: Mode, buffering: Option<Buffering>) -> Stream {
        Stream {
            backing,
            mode,
            buffering,
            capacity: 4096,
            ahead: Vec::new(),
            taken: 0,
            put_back: Vec::new(),
            behind: Vec::new(),
            lent: Pointer::NULL,
            eof: false,
            error: false,
        }
    }

    /// The descriptor's number.
    pub fn descriptor(&self) -> Option<i32> {
        match self.backing {
            Backing::Descriptor(number) => Some(number),
            Backing::Memory { .. } => None,
        }
    }

    /// What the stream stands on.
    pub fn backing(&self) -> &Backing {
        &self.backing
    }

    /// How the stream was opened.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// From now on what waits to be written stands in a buffer of the program.
    pub fn lend(&mut self, buffer: Pointer) {
        self.lent = buffer;
    }

    /// The buffer that the program lent to it, and what stands there.
    pub fn lent(&self) -> Option<(Pointer, &[u8])> {
        (!self.lent.is_null()).then_some((self.lent, &self.behind))
    }

    /// `setvbuf`: how to buffer from now on, and in how many bytes.
    pub fn set_buffering(&mut self, buffering: Buffering, size: Option<usize>) {
        self.buffering = Some(buffering);
        if let Some(size) = size.filter(|s| *s > 0) {
            self.capacity = size;
        }
    }

    /// The buffering in force.
    pub fn buffering(&mut self, files: &mut Files<'_>) -> Buffering {
        if let Some(buffering) = self.buffering {
            return buffering;
        }
        let mut buffering = Buffering::Full;
        if let Backing::Descriptor(number) = self.backing {
            if let Ok(Some(stat)) = files.stat(number) {
                self.capacity = usize::try_from(stat.st_blksize).unwrap_or(4096).clamp(1, 1 << 20);
            }
            if files.is_terminal(number) == Ok(true) {
                buffering = Buffering::Line;
                self.capacity = 1024;
            }
        }
        self.buffering = Some(buffering);
        buffering
    }

    /// Whether written bytes wait in the buffer.
    pub fn has_pending_output(&self) -> bool {
        !self.behind.is_empty()
    }

    /// Writes bytes; how many were accepted comes with an error.
    pub fn write(&mut self, files: &mut Files<'_>, data: &[u8]) -> Result<(), (usize, Errno)> {
        if !self.mode.write {
            self.error = true;
            return Err((0, Errno::EBADF));
        }
        if data.is_empty() {
            return Ok(());
        }
        self.drop_read_ahead(files).map_err(|e| (0, e))?;
        let buffering = self.buffering(files);
        let must_flush = match buffering {
            Buffering::None => true,
            Buffering::Line => data.contains(&b'\n'),
            Buffering::Full => false,
        };
        let result = self.write_buffered(files, data, must_flush);
        if result.is_err() {
            self.error = true;
        }
        result.map_err(|e| (0, e))
    }

    fn write_buffered(&mut self, files: &mut Files<'_>, data: &[u8], must_flush: bool) -> Io<()> {
        let room = self.capacity.saturating_sub(self.behind.len());
        if data.len() <= room && !must_flush {
            self.behind.extend_from_slice(data);
            return Ok(());
        }
        if must_flush {
            // Up to the last newline goes out; the tail of a line stays.
            let end = match self.buffering {
                Some(Buffering::Line) => data.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1),
                _ => data.len(),
            };
            self.behind.extend_from_slice(&data[..end]);
            self.flush_output(files)?;
            self.behind.extend_from_slice(&data[end..]);
            return Ok(());
        }
        let (fill, rest) = data.split_at(room);
        self.behind.extend_from_slice(fill);
        self.flush_output(files)?;
        let whole = rest.len() - rest.len() % self.capacity;
        self.put_out(files, &rest[..whole])?;
        self.behind.extend_from_slice(&rest[whole..]);
        Ok(())
    }

    /// Sends buffered output on its way.
    pub fn flush_output(&mut self, files: &mut Files<'_>) -> Io<()> {
        let bytes = std::mem::take(&mut self.behind);
        let result = self.put_out(files, &bytes);
        if result.is_err() {
            self.error = true;
        }
        result
    }

    fn put_out(&mut self, files: &mut Files<'_>, bytes: &[u8]) -> Io<()> {
        match &mut self.backing {
            Backing::Descriptor(number) => files.write_all(*number, bytes),
            Backing::Memory { bytes: memory, at } => {
                if self.mode.append {
                    *at = memory.len();
                }
                let end = *at + bytes.len();
                if memory.len() < end {
                    memory.resize(end, 0);
                }
                memory[*at..end].copy_from_slice(bytes);
                *at = end;
                Ok(())
            }
        }
    }

    /// `fflush`: output goes out; unread input goes back to the descriptor.
    pub fn flush(&mut self, files: &mut Files<'_>) -> Io<()> {
        self.flush_output(files)?;
        self.put_back.clear();
        // A pipe cannot take input back; glibc does not mind either.
        let _ = self.drop_read_ahead(files);
        Ok(())
    }

    /// Forgets read-ahead input, moving the descriptor back to where the program believes it is.
    fn drop_read_ahead(&mut self, files: &mut Files<'_>) -> Io<()> {
        let unread = self.ahead.len() - self.taken;
        self.put_back.clear();
        self.ahead.clear();
        self.taken = 0;
        if unread == 0 {
            return Ok(());
        }
        match &mut self.backing {
            Backing::Descriptor(number) => {
                files.seek(*number, SeekFrom::Current(-(unread as i64)))?;
            }
            Backing::Memory { at, .. } => *at -= unread,
        }
        Ok(())
    }

    /// The next byte; none at the end or on an error (the indicators say which).
    pub fn read_byte(&mut self, files: &mut Files<'_>) -> Io<Option<u8>> {
        if let Some(byte) = self.put_back.pop() {
            return Ok(Some(byte));
        }
        if self.taken == self.ahead.len() && !self.fill(files)? {
            return Ok(None);
        }
        self.taken += 1;
        Ok(Some(self.ahead[self.taken - 1]))
    }

    /// Bytes that can be taken without reading; the descriptor is read if there are none. Empty at the end.
    pub fn peek(&mut self, files: &mut Files<'_>) -> Io<&[u8]> {
        if !self.put_back.is_empty() {
            return Ok(&self.put_back[self.put_back.len() - 1..]);
        }
        if self.taken == self.ahead.len() {
            self.fill(files)?;
        }
        Ok(&self.ahead[self.taken..])
    }

    /// Takes bytes that [`Stream::peek`] showed.
    pub fn consume(&mut self, count: usize) {
        if count > 0 && self.put_back.pop().is_none() {
            self.taken += count;
        }
    }

    /// Whether reading now would have to ask the descriptor.
    pub fn needs_input(&self) -> bool {
        self.put_back.is_empty() && self.taken == self.ahead.len()
    }

    /// `ungetc`
    pub fn unread(&mut self, byte: u8) {
        self.eof = false;
        if self.put_back.is_empty() && self.taken > 0 && self.ahead[self.taken - 1] == byte {
            self.taken -= 1;
        } else {
            self.put_back.push(byte);
        }
    }

    fn fill(&mut self, files: &mut Files<'_>) -> Io<bool> {
        if !self.mode.read {
            self.error = true;
            return Err(Errno::EBADF);
        }
        // C says that the end-of-file indicator is sticky, and so does glibc since 2.28.
        if self.eof {
            return Ok(false);
        }
        self.flush_output(files)?;
        self.ahead.clear();
        self.taken = 0;
        let unbuffered = self.buffering(files) == Buffering::None;
        let wanted = if unbuffered { 1 } else { self.capacity };
        match &mut self.backing {
            Backing::Descriptor(number) => {
                self.ahead.resize(wanted, 0);
                let got = match files.read(*number, &mut self.ahead) {
                    Ok(got) => got,
                    Err(error) => {
                        self.ahead.clear();
                        self.error = true;
                        return Err(error);
                    }
                };
                self.ahead.truncate(got);
            }
            Backing::Memory { bytes, at } => {
                let end = bytes.len().min(*at + wanted);
                self.ahead.extend_from_slice(&bytes[(*at).min(end)..end]);
                *at = end;
            }
        }
        self.eof = self.ahead.is_empty();
        Ok(!self.eof)
    }

    /// `ftell`
    pub fn tell(&mut self, files: &mut Files<'_>) -> Io<i64> {
        let base = match &self.backing {
            Backing::Memory { at, .. } => *at as i64,
            Backing::Descriptor(number) => {
                if self.mode.append && !self.behind.is_empty() {
                    files.stat(*number)?.ok_or(Errno::ESPIPE)?.st_size
                } else {
                    files.seek(*number, SeekFrom::Current(0))? as i64
                }
            }
        };
        let unread = (self.ahead.len() - self.taken + self.put_back.len()) as i64;
        Ok(base - unread + self.behind.len() as i64)
    }

    /// `fseek`: `whence` is 0 (start), 1 (here) or 2 (end).
    pub fn seek(&mut self, files: &mut Files<'_>, offset: i64, whence: i32) -> Io<()> {
        self.flush_output(files)?;
        let (offset, whence) = if whence == 1 { (self.tell(files)? + offset, 0) } else { (offset, whence) };
        if whence == 0 && offset < 0 {
            return Err(Errno::EINVAL);
        }
        match &mut self.backing {
            Backing::Descriptor(number) => {
                let to = if whence == 0 { SeekFrom::Start(offset as u64) } else { SeekFrom::End(offset) };
                files.seek(*number, to)?;
            }
            Backing::Memory { bytes, at } => {
                let start = if whence == 0 { 0 } else { bytes.len() as i64 };
                *at = usize::try_from(start + offset).map_err(|_| Errno::EINVAL)?;
            }
        }
        self.put_back.clear();
        self.ahead.clear();
        self.taken = 0;
        self.eof = false;
        Ok(())
    }
}

/// Opens a file for a stream.
pub fn open(path: &[u8], mode: &[u8]) -> Io<(OwnedFd, Mode)> {
    let (mode, flags) = Mode::parse(mode).ok_or(Errno::EINVAL)?;
    let fd = rustix::fs::open(path, flags, rustix::fs::Mode::from_raw_mode(0o666))?;
    if mode.append && !mode.read {
        // glibc starts a stream that only appends at the end, and one that also reads at the start.
        let _ = rustix::fs::seek(&fd, SeekFrom::End(0));
    }
    Ok((fd, mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Captured;
    use crate::libc::descriptors::Descriptors;

    const READ: Mode = Mode { read: true, write: false, append: false };
    const WRITE: Mode = Mode { read: false, write: true, append: false };

    fn memory(text: &[u8]) -> Stream {
        Stream::new(Backing::Memory { bytes: text.to_vec(), at: 0 }, READ, Some(Buffering::Full))
    }

    #[test]
    fn output_leaves_as_its_buffering_says() {
        let mut host = Captured::default();
        let mut table = Descriptors::standard(&host);
        let mut line = Stream::new(Backing::Descriptor(1), WRITE, Some(Buffering::Line));
        let mut none = Stream::new(Backing::Descriptor(2), WRITE, Some(Buffering::None));
        let mut files = Files { table: &mut table, host: &mut host };
        line.write(&mut files, b"one\ntwo").unwrap();
        none.write(&mut files, b"now").unwrap();
        assert!(line.has_pending_output() && !none.has_pending_output());
        line.flush(&mut files).unwrap();
        assert_eq!((&host.stdout[..], &host.stderr[..]), (&b"one\ntwo"[..], &b"now"[..]));
    }

    #[test]
    fn positions_count_bytes_put_back() {
        let mut host = Captured::default();
        let mut table = Descriptors::standard(&host);
        let mut files = Files { table: &mut table, host: &mut host };
        let mut stream = memory(b"abc");
        assert_eq!(stream.read_byte(&mut files), Ok(Some(b'a')));
        stream.unread(b'x');
        assert_eq!(stream.tell(&mut files), Ok(0));
        assert_eq!(stream.read_byte(&mut files), Ok(Some(b'x')));
        stream.seek(&mut files, -1, 2).unwrap();
        assert_eq!(stream.read_byte(&mut files), Ok(Some(b'c')));
        assert_eq!((stream.read_byte(&mut files), stream.eof), (Ok(None), true));
    }

    #[test]
    fn a_stream_for_reading_cannot_be_written() {
        let mut host = Captured::default();
        let mut table = Descriptors::standard(&host);
        let mut files = Files { table: &mut table, host: &mut host };
        let mut stream = memory(b"");
        assert_eq!(stream.write(&mut files, b"x"), Err((0, Errno::EBADF)));
        assert!(stream.error);
    }

    #[test]
    fn modes() {
        assert!(Mode::parse(b"r+b").is_some_and(|(m, _)| m.read && m.write));
        assert!(Mode::parse(b"q").is_none());
    }
}
