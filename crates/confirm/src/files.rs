// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of a test: those of the witness and those that the program makes, in memory. A name that was opened once keeps
//! its file, so that what was written there is what is read again. `interpreter/src/libc/closed_files.rs` is the same for the
//! interpreter.

use clew_ir::witness::{Input, InputKind, Witness};

use crate::c_values::{literal, of_kind};

/// The functions, with their texts.
pub(crate) const OWN: &[(&str, &str)] = &[
    ("fopen", FOPEN),
    ("fopen64", FOPEN),
    ("open", OPEN),
    ("open64", OPEN),
    ("__open_2", OPEN),
    ("__open64_2", OPEN),
    ("creat", CREAT),
    ("creat64", CREAT),
    ("remove", REMOVE),
    ("unlink", REMOVE),
    ("rename", RENAME),
    ("access", ACCESS),
    ("euidaccess", ACCESS),
];

const FOPEN: &str = "
FILE *__wrap_NAME(const char *name, const char *mode);
FILE *__wrap_NAME(const char *name, const char *mode)
{
    int flags = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
    int is_both = 0, file;

    for (const char *at = mode + 1; *mode && *at && *at != ','; at++) {
        is_both |= *at == '+';
        flags |= *at == 'x' ? O_EXCL : 0;
    }
    file = opened(name, flags | (is_both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY));
    return file < 0 ? NULL : fdopen(file, mode);
}
";
const OPEN: &str = "
int __wrap_NAME(const char *name, int flags, ...);
int __wrap_NAME(const char *name, int flags, ...)
{
    return opened(name, flags);
}
";
const CREAT: &str = "
int __wrap_NAME(const char *name);
int __wrap_NAME(const char *name)
{
    return opened(name, O_WRONLY | O_CREAT | O_TRUNC);
}
";
const REMOVE: &str = "
int __wrap_NAME(const char *name);
int __wrap_NAME(const char *name)
{
    struct known *file = known_as(name);

    if (!file || file->file < 0) {
        errno = file ? ENOENT : EACCES;
        return -1;
    }
    file->file = -1;
    return 0;
}
";
const RENAME: &str = "
int __wrap_NAME(const char *from, const char *to);
int __wrap_NAME(const char *from, const char *to)
{
    struct known *old = known_as(from), *new;
    int file;

    if (!old || old->file < 0) {
        errno = old ? ENOENT : EACCES;
        return -1;
    }
    file = old->file;
    old->file = -1;
    new = known_as(to);
    if (!new)
        new = add_known(to);
    new->file = file;
    return 0;
}
";
const ACCESS: &str = "
int __wrap_NAME(const char *name, int asked);
int __wrap_NAME(const char *name, int asked)
{
    struct known *file = known_as(name);

    if (file && file->file >= 0 && !(asked & X_OK))
        return 0;
    errno = file && file->file < 0 ? ENOENT : EACCES;
    return -1;
}
";

/// What all of them need.
pub(crate) fn text(witness: &Witness) -> String {
    let row = |input: &Input| {
        let bytes = input.bytes().unwrap_or_default();
        format!("    {{ {}, {}, {} }},\n", literal(input.name.as_bytes()), literal(&bytes), bytes.len())
    };
    let rows: String = of_kind(witness, InputKind::File).map(row).collect();
    format!(
        "\n/* The files that are there: name, content, size. */\nstatic const struct file {{\n    const char *name, *bytes;\n    \
         size_t size;\n}} files[] = {{\n{rows}    {{ NULL, NULL, 0 }},\n}};\n{OPENED}"
    )
}

const OPENED: &str = r#"
/* Names that were used so far, and their files in memory; -1 where the program took one away. */
static struct known {
    char name[4096];
    int file;
} known[64];
static size_t known_count;

/* One spelling for a, ./a and .//a; 0 for what is no name of a file. */
static int plain(char *to, const char *name)
{
    size_t length = 0, part = 0;
    const int is_absolute = *name == '/';

    for (; *name; name += part + (name[part] == '/')) {
        for (part = 0; name[part] && name[part] != '/'; part++)
            ;
        if (part == 0 || (part == 1 && *name == '.'))
            continue;
        if (part > 255 || length + part + 2 > sizeof known[0].name)
            return 0;
        if (length || is_absolute)
            to[length++] = '/';
        copy(to + length, name, part);
        length += part;
    }
    to[length] = 0;
    return length != 0;
}

static struct known *known_as(const char *name)
{
    static char wanted[sizeof known[0].name];

    for (size_t at = 0; plain(wanted, name) && at < known_count; at++)
        if (is_same(known[at].name, wanted))
            return known + at;
    return NULL;
}

static struct known *add_known(const char *name)
{
    /* The interpreter had no such bound: this run is another one. */
    if (known_count == sizeof known / sizeof known[0])
        _exit(1);
    plain(known[known_count].name, name);
    return known + known_count++;
}

/* A descriptor of its own for a file in memory, with a position of its own. */
static int again(int file, int flags)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags & (O_ACCMODE | O_APPEND | O_TRUNC | O_NONBLOCK), 0);
}

static int opened(const char *name, int flags)
{
    static char scratch[sizeof known[0].name];
    const struct file *file = files;
    const int is_exclusive = (flags & O_CREAT) && (flags & O_EXCL);
    struct known *old = known_as(name);
    const size_t length = length_of(name);

    if (!plain(scratch, name) || length >= sizeof scratch || name[length - 1] == '/') {
        errno = length == 0 ? ENOENT : name[length - 1] == '/' ? EISDIR : ENAMETOOLONG;
        return -1;
    }
    if (old && old->file >= 0) {
        if (!is_exclusive)
            return again(old->file, flags);
        errno = EEXIST;
        return -1;
    }
    while (file->name && (old || is_exclusive || !is_same(file->name, name)))
        file++;
    if (!file->name && !(flags & O_CREAT)) {
        errno = ENOENT;
        return -1;
    }
    if (!old)
        old = add_known(name);
    old->file = memfd_create("file", 0);
    if (file->name && (flags & (O_CREAT | O_TRUNC)) != (O_CREAT | O_TRUNC))
        write_all(old->file, file->bytes, file->size);
    return again(old->file, flags);
}
"#;
