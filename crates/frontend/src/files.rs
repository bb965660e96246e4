// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where source text comes from: the disk, or an editor's buffers laid over it.
//!
//! Texts are shared (`Arc`) between the units of a project and with the source map, so a header that a
//! thousand units include is held once.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rucc_diag::SourceBytes;

/// The largest file that is read. A C file of more is a mistake (a log, a core dump) far more often than
/// a program, and its tokens would take gigabytes.
pub const MAX_FILE_BYTES: u64 = 32 << 20;

/// The file that stands for `-fpack-struct`, read before the source.
pub(crate) const PACK_STRUCT_FILE: &str = "<pack-struct>";

/// Something that source files are read through.
pub trait Files: fmt::Debug + Send + Sync {
    /// The text of a file.
    fn read(&self, path: &Path) -> io::Result<Arc<[u8]>>;

    /// A name that all spellings of one file share, for `#pragma once` and include guards.
    fn identity(&self, path: &Path) -> PathBuf {
        rucc_session::path_key(path)
    }
}

type ReadResult = Result<Arc<[u8]>, (io::ErrorKind, String)>;

/// The disk, remembering what it was told, with optional texts that take a file's place.
#[derive(Debug, Default)]
pub struct DiskFiles {
    overlay: HashMap<PathBuf, Arc<[u8]>>,
    read: Mutex<HashMap<PathBuf, ReadResult>>,
    folders: Mutex<HashMap<PathBuf, Option<PathBuf>>>,
}

impl DiskFiles {
    /// The disk as it is.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a text in the place of a file (an editor's unsaved buffer, a test's source).
    pub fn overlay(&mut self, path: impl Into<PathBuf>, text: impl Into<Arc<[u8]>>) {
        self.overlay.insert(rucc_session::path_key(&path.into()), text.into());
    }

    fn folder(&self, path: &Path) -> Option<PathBuf> {
        let mut known = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(path.to_owned()).or_insert_with(|| std::fs::canonicalize(path).ok()).clone()
    }
}

impl Files for DiskFiles {
    fn read(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        if let Some(text) = self.overlay.get(&rucc_session::path_key(path)) {
            return Ok(text.clone());
        }
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let result = match known.get(path) {
            Some(result) => result.clone(),
            None => {
                let result = read_from_disk(path).map_err(|e| (e.kind(), e.to_string()));
                known.insert(path.to_owned(), result.clone());
                result
            }
        };
        result.map_err(|(kind, message)| io::Error::new(kind, message))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        let is_link = match std::fs::symlink_metadata(path) {
            Ok(meta) => meta.file_type().is_symlink(),
            Err(_) => return rucc_session::path_key(path),
        };
        let resolved = match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) if !is_link => {
                let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                self.folder(folder).map(|f| f.join(name))
            }
            _ => std::fs::canonicalize(path).ok(),
        };
        resolved.unwrap_or_else(|| rucc_session::path_key(path))
    }
}

fn read_from_disk(path: &Path) -> io::Result<Arc<[u8]>> {
    let file = std::fs::File::open(path)?;
    let meta = file.metadata()?;
    if meta.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder, not a file"));
    }
    if meta.len() > MAX_FILE_BYTES {
        return Err(too_large(meta.len()));
    }
    if meta.is_file()
        && let Some(text) = read_in_place(&file, meta.len() as usize)?
    {
        return Ok(text);
    }
    let mut text = Vec::with_capacity(meta.len() as usize);
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut text)?;
    match text.len() as u64 {
        n if n > MAX_FILE_BYTES => Err(too_large(n)),
        _ => Ok(ended(text).into()),
    }
}

/// Reads a plain file to where it stays, without a copy; none when it is not as long as it was said to be, or
/// does not end as rucc needs.
fn read_in_place(mut file: &std::fs::File, length: usize) -> io::Result<Option<Arc<[u8]>>> {
    let mut text: Arc<[u8]> = std::iter::repeat_n(0, length).collect();
    let Some(bytes) = Arc::get_mut(&mut text) else { return Ok(None) };
    let read = file.read_exact(bytes).is_ok() && file.read(&mut [0])? == 0;
    if read && !continued_at_end(&text) {
        return Ok(Some(text));
    }
    file.rewind()?;
    Ok(None)
}

/// rucc does not survive a line that is continued at the end of its file: an empty line is put there.
fn ended(mut text: Vec<u8>) -> Vec<u8> {
    if continued_at_end(&text) {
        text.extend_from_slice(b"\n\n");
    }
    text
}

fn continued_at_end(text: &[u8]) -> bool {
    let line = text.strip_suffix(b"\n").unwrap_or(text);
    let line = line.strip_suffix(b"\r").unwrap_or(line).trim_ascii_end();
    line.ends_with(b"\\") || line.ends_with(b"??/")
}

fn too_large(bytes: u64) -> io::Error {
    let message = format!("is too large: {bytes} bytes or more, the limit is {MAX_FILE_BYTES}");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// What rucc reads through. It keeps the shared texts it handed out, so that the source map can hold the
/// same ones instead of copies.
#[derive(Debug)]
pub(crate) struct Adapter<'a> {
    files: &'a dyn Files,
    pack_struct: Option<u32>,
    handed_out: Mutex<HashMap<usize, Arc<[u8]>>>,
}

impl<'a> Adapter<'a> {
    pub(crate) fn new(files: &'a dyn Files, pack_struct: Option<u32>) -> Self {
        Adapter { files, pack_struct, handed_out: Mutex::new(HashMap::new()) }
    }

    /// The shared text behind these bytes; copies only what did not come through here.
    pub(crate) fn shared(&self, bytes: &[u8]) -> Arc<[u8]> {
        let known = self.handed_out.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(&(bytes.as_ptr() as usize)) {
            Some(text) if text.len() == bytes.len() => text.clone(),
            _ => bytes.into(),
        }
    }
}

impl rucc_session::FileSystem for Adapter<'_> {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        if let (PACK_STRUCT_FILE, Some(bytes)) = (name, self.pack_struct) {
            return Ok(SourceBytes::new(format!("#pragma pack({bytes})\n").into_bytes()));
        }
        if is_compiler_intrinsics(path, name) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let text = self.files.read(path)?;
        let mut known = self.handed_out.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(text.as_ptr() as usize, text.clone());
        Ok(SourceBytes::new(text))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        self.files.identity(path)
    }
}

/// Whether this is a header of gcc's about vector instructions. They are written in builtins that only gcc
/// has, so rucc's own are used in their place: the search goes on to them when these are not there.
fn is_compiler_intrinsics(path: &Path, name: &str) -> bool {
    name.ends_with("intrin.h") && path.components().any(|part| part.as_os_str() == "gcc")
}

#[cfg(test)]
mod tests {
    use super::ended;

    #[test]
    fn a_continued_last_line_gets_an_end() {
        for text in ["// x\\\n", "'\\", "\"\\\r\n", "// ??/\n", "#define A \\ \n"] {
            assert!(ended(text.into()).ends_with(b"\n\n"), "{text:?}");
        }
        assert_eq!(ended("int x;".into()), b"int x;");
    }
}
