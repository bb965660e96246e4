// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program's file descriptors.
//!
//! The program sees the numbers that it would see natively (the lowest free one), whatever descriptors the
//! interpreter itself holds; behind each number stands a descriptor of the system or a standard stream of the [`Host`].

use std::io::IsTerminal;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{SeekFrom, Stat};

use super::errno::Errno;
use crate::host::Host;

/// A failed system call, as `errno`.
pub type Io<T> = Result<T, Errno>;

/// What stands behind a number.
#[derive(Debug)]
pub enum Handle {
    /// A standard stream that the host keeps: 0, 1 or 2.
    Host(u8),
    /// A descriptor of the system.
    System(OwnedFd),
    /// A socket of a closed world: what is read stands in a file, what is written goes nowhere.
    Socket(OwnedFd),
}

impl Handle {
    /// Another handle to the same open file.
    pub fn duplicate(&self) -> Io<Handle> {
        match self {
            Handle::Host(stream) => Ok(Handle::Host(*stream)),
            Handle::System(fd) => Ok(Handle::System(rustix::io::dup(fd)?)),
            Handle::Socket(fd) => Ok(Handle::Socket(rustix::io::dup(fd)?)),
        }
    }
}

/// The table from the program's numbers to handles.
#[derive(Debug)]
pub struct Descriptors {
    slots: Vec<Option<Handle>>,
}

impl Descriptors {
    /// The three standard descriptors.
    pub fn standard(host: &dyn Host) -> Descriptors {
        let slot = |number: u8| Some(host.descriptor(number).map_or(Handle::Host(number), Handle::System));
        Descriptors { slots: vec![slot(0), slot(1), slot(2)] }
    }

    /// The handle behind a number.
    pub fn get(&self, number: i32) -> Io<&Handle> {
        let slot = usize::try_from(number).ok().and_then(|n| self.slots.get(n));
        slot.and_then(Option::as_ref).ok_or(Errno::EBADF)
    }

    /// The system's descriptor behind a number; `ESPIPE` for a stream the host keeps, which is as a pipe.
    pub fn system(&self, number: i32) -> Io<BorrowedFd<'_>> {
        match self.get(number)? {
            Handle::System(fd) | Handle::Socket(fd) => Ok(fd.as_fd()),
            Handle::Host(_) => Err(Errno::ESPIPE),
        }
    }

    /// Gives a handle the lowest free number that is at least `least`.
    pub fn insert(&mut self, handle: Handle, least: usize) -> i32 {
        let free = (least..self.slots.len()).find(|n| self.slots[*n].is_none());
        let number = free.unwrap_or(self.slots.len().max(least));
        self.put(handle, number);
        number as i32
    }

    /// Gives a handle this number; what had it is closed.
    pub fn put(&mut self, handle: Handle, number: usize) {
        if self.slots.len() <= number {
            self.slots.resize_with(number + 1, || None);
        }
        self.slots[number] = Some(handle);
    }

    /// Closes a number.
    pub fn close(&mut self, number: i32) -> Io<()> {
        let slot = usize::try_from(number).ok().and_then(|n| self.slots.get_mut(n));
        slot.and_then(Option::take).map(drop).ok_or(Errno::EBADF)
    }
}

/// The descriptors together with the host that keeps the standard streams.
pub struct Files<'a> {
    /// The numbers.
    pub table: &'a mut Descriptors,
    /// The host.
    pub host: &'a mut dyn Host,
}

impl Files<'_> {
    /// `read`
    pub fn read(&mut self, number: i32, buffer: &mut [u8]) -> Io<usize> {
        match self.table.get(number)? {
            Handle::Host(0) => Ok(self.host.read_stdin(buffer)?),
            Handle::Host(_) => Err(Errno::EBADF),
            Handle::System(fd) | Handle::Socket(fd) => loop {
                match rustix::io::read(fd, &mut *buffer) {
                    Err(rustix::io::Errno::INTR) => {}
                    result => return Ok(result?),
                }
            },
        }
    }

    /// `write`
    pub fn write(&mut self, number: i32, bytes: &[u8]) -> Io<usize> {
        match self.table.get(number)? {
            Handle::Host(0) => return Err(Errno::EBADF),
            Handle::Host(1) => self.host.write_stdout(bytes)?,
            Handle::Host(_) => self.host.write_stderr(bytes)?,
            Handle::Socket(_) => {}
            Handle::System(fd) => loop {
                match rustix::io::write(fd, bytes) {
                    Err(rustix::io::Errno::INTR) => {}
                    result => return Ok(result?),
                }
            },
        }
        Ok(bytes.len())
    }

    /// Writes all bytes.
    pub fn write_all(&mut self, number: i32, mut bytes: &[u8]) -> Io<()> {
        while !bytes.is_empty() {
            let count = self.write(number, bytes)?;
            bytes = &bytes[count..];
        }
        Ok(())
    }

    /// `lseek`
    pub fn seek(&mut self, number: i32, to: SeekFrom) -> Io<u64> {
        Ok(rustix::fs::seek(self.table.system(number)?, to)?)
    }

    /// `fstat`; none for a stream that the host keeps.
    pub fn stat(&mut self, number: i32) -> Io<Option<Stat>> {
        match self.table.get(number)? {
            Handle::Host(_) => Ok(None),
            Handle::System(fd) | Handle::Socket(fd) => Ok(Some(rustix::fs::fstat(fd)?)),
        }
    }

    /// `isatty`
    pub fn is_terminal(&mut self, number: i32) -> Io<bool> {
        match self.table.get(number)? {
            Handle::Host(_) | Handle::Socket(_) => Ok(false),
            Handle::System(fd) => Ok(fd.is_terminal()),
        }
    }
}
