// SPDX-License-Identifier: MIT OR Apache-2.0
//! Networks and the system's answers in a test, in C: stubs that stand for functions of the library, so that nothing of
//! the machine is asked. `interpreter/src/libc/{socket,closed}.rs` say the same to the interpreter.

use clew_ir::witness::{Input, InputKind, Witness};

use crate::c_values::{literal, of_kind};

/// Functions that speak to other machines.
pub(crate) const NETWORK: &[(&str, &str)] = &[
    ("socket", SOCKET),
    ("bind", BIND),
    ("connect", BIND),
    ("listen", LISTEN),
    ("shutdown", LISTEN),
    ("setsockopt", SETSOCKOPT),
    ("accept", ACCEPT),
    ("recv", RECV),
    ("recvfrom", RECVFROM),
    ("send", SEND),
    ("sendto", SENDTO),
];

/// What else must know sockets where there are any.
pub(crate) const BESIDE: &[(&str, &str)] = &[("write", WRITE)];

/// Functions that the system answers with a text.
pub(crate) const SYSTEM: &[(&str, &str)] = &[
    ("getcwd", GETCWD),
    ("__getcwd_chk", GETCWD),
    ("get_current_dir_name", NEW_TEXT),
    ("readlink", READLINK),
    ("gethostname", GETHOSTNAME),
    ("realpath", REALPATH),
    ("__realpath_chk", REALPATH),
    ("canonicalize_file_name", CANONICALIZE),
];

/// Connections, as files in memory whose seal says what they are.
pub(crate) fn network(witness: &Witness) -> String {
    let mut inputs = of_kind(witness, InputKind::Network).filter_map(Input::bytes).peekable();
    if inputs.peek().is_none() {
        return format!("{NO_NETWORK}{SOCKETS}");
    }
    let bytes: Vec<u8> = inputs.flatten().collect();
    format!("{}{SOCKETS}", CONNECTION.replace("BYTES", &literal(&bytes)))
}

/// The answers of the system.
pub(crate) fn system(witness: &Witness) -> String {
    let row = |input: &Input| {
        let text = input.bytes().unwrap_or_default();
        format!("    {{ {}, {}, 0 }},\n", literal(input.name.as_bytes()), literal(&text))
    };
    let rows: String = of_kind(witness, InputKind::System).map(row).collect();
    ANSWERS.replace("ROWS", &rows)
}

const NO_NETWORK: &str = "
/* There is no network. */
static int connection(void)
{
    errno = EACCES;
    return -1;
}
";
const CONNECTION: &str = "
/* What the other side of every connection sends. What it is sent is lost. */
static int connection(void)
{
    static const char bytes[] = BYTES;
    const int made = memfd_create(\"connection\", MFD_ALLOW_SEALING);

    write_all(made, bytes, sizeof bytes - 1);
    lseek(made, 0, SEEK_SET);
    fcntl(made, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW);
    return made;
}
";
const SOCKETS: &str = "
static int __attribute__((unused)) is_socket(int file)
{
    const int seals = fcntl(file, F_GET_SEALS);

    if (seals >= 0 && (seals & F_SEAL_WRITE))
        return 1;
    if (seals >= 0 || errno != EBADF)
        errno = ENOTSOCK;
    return 0;
}

static void __attribute__((unused)) other_side(void *address, unsigned *length)
{
    static const unsigned char somewhere[16] = { 2 };

    if (!address)
        return;
    copy(address, somewhere, *length < sizeof somewhere ? *length : sizeof somewhere);
    *length = sizeof somewhere;
}
";
const SOCKET: &str = "
int __wrap_NAME(int domain, int type, int protocol);
int __wrap_NAME(int domain, int type, int protocol)
{
    (void)domain, (void)type, (void)protocol;
    return connection();
}
";
const BIND: &str = "
int __wrap_NAME(int file, const void *address, unsigned length);
int __wrap_NAME(int file, const void *address, unsigned length)
{
    (void)address, (void)length;
    return is_socket(file) - 1;
}
";
const LISTEN: &str = "
int __wrap_NAME(int file, int how);
int __wrap_NAME(int file, int how)
{
    (void)how;
    return is_socket(file) - 1;
}
";
const SETSOCKOPT: &str = "
int __wrap_NAME(int file, int level, int option, const void *value, unsigned length);
int __wrap_NAME(int file, int level, int option, const void *value, unsigned length)
{
    (void)level, (void)option, (void)value, (void)length;
    return is_socket(file) - 1;
}
";
const ACCEPT: &str = "
int __wrap_NAME(int file, void *address, unsigned *length);
int __wrap_NAME(int file, void *address, unsigned *length)
{
    other_side(address, length);
    return is_socket(file) ? connection() : -1;
}
";
const RECV: &str = "
ssize_t __wrap_NAME(int file, void *to, size_t count, int flags);
ssize_t __wrap_NAME(int file, void *to, size_t count, int flags)
{
    const int peek = 2;

    if (!is_socket(file))
        return -1;
    return flags & peek ? pread(file, to, count, lseek(file, 0, SEEK_CUR)) : read(file, to, count);
}
";
const RECVFROM: &str = "
ssize_t __wrap_NAME(int file, void *to, size_t count, int flags, void *address, unsigned *length);
ssize_t __wrap_NAME(int file, void *to, size_t count, int flags, void *address, unsigned *length)
{
    const int peek = 2;

    other_side(address, length);
    if (!is_socket(file))
        return -1;
    return flags & peek ? pread(file, to, count, lseek(file, 0, SEEK_CUR)) : read(file, to, count);
}
";
const SEND: &str = "
ssize_t __wrap_NAME(int file, const void *from, size_t count, int flags);
ssize_t __wrap_NAME(int file, const void *from, size_t count, int flags)
{
    (void)from, (void)flags;
    return is_socket(file) ? (ssize_t)count : -1;
}
";
const SENDTO: &str = "
ssize_t __wrap_NAME(int file, const void *from, size_t count, int flags, const void *address, unsigned length);
ssize_t __wrap_NAME(int file, const void *from, size_t count, int flags, const void *address, unsigned length)
{
    (void)from, (void)flags, (void)address, (void)length;
    return is_socket(file) ? (ssize_t)count : -1;
}
";
const WRITE: &str = "
ssize_t __real_NAME(int file, const void *from, size_t count);
ssize_t __wrap_NAME(int file, const void *from, size_t count);
ssize_t __wrap_NAME(int file, const void *from, size_t count)
{
    const int before = errno;

    if (is_socket(file))
        return (ssize_t)count;
    errno = before;
    return __real_NAME(file, from, count);
}
";
const ANSWERS: &str = "
/* What the system answers some functions, in order; the last answer stands. */
static struct answer {
    const char *function, *text;
    int is_used;
} answers[] = {
ROWS    { NULL, NULL, 0 },
};

static const char *answer(const char *function)
{
    struct answer *found = NULL, *at;

    for (at = answers; at->function; at++) {
        if (at->is_used || !is_same(at->function, function))
            continue;
        if (found) {
            found->is_used = 1;
            break;
        }
        found = at;
    }
    errno = EACCES;
    return found ? found->text : NULL;
}

/* The text in a new object, or where it is asked for. */
static __attribute__((unused)) char *text_at(char *to, const char *text)
{
    if (!to)
        return strdup(text);
    copy(to, text, length_of(text) + 1);
    return to;
}
";
const GETCWD: &str = "
char *__wrap_NAME(char *to, size_t size);
char *__wrap_NAME(char *to, size_t size)
{
    const char *text = answer(\"getcwd\");

    if (!text)
        text = \"/\";
    if ((to || size) && size <= length_of(text)) {
        errno = ERANGE;
        return NULL;
    }
    return text_at(to, text);
}
";
const NEW_TEXT: &str = "
char *__wrap_NAME(void);
char *__wrap_NAME(void)
{
    const char *text = answer(\"NAME\");

    return text ? text_at(NULL, text) : NULL;
}
";
const CANONICALIZE: &str = "
char *__wrap_NAME(const char *path);
char *__wrap_NAME(const char *path)
{
    const char *text = answer(\"NAME\");

    (void)path;
    return text ? text_at(NULL, text) : NULL;
}
";
const READLINK: &str = "
ssize_t __wrap_NAME(const char *path, char *to, size_t size);
ssize_t __wrap_NAME(const char *path, char *to, size_t size)
{
    const char *text = answer(\"readlink\");
    const size_t length = text ? length_of(text) : 0;

    (void)path;
    if (!text)
        return -1;
    if (!size) {
        errno = EINVAL;
        return -1;
    }
    copy(to, text, length < size ? length : size);
    return (ssize_t)(length < size ? length : size);
}
";
const GETHOSTNAME: &str = "
int __wrap_NAME(char *to, size_t size);
int __wrap_NAME(char *to, size_t size)
{
    const char *text = answer(\"gethostname\");

    if (!text)
        return -1;
    if (size <= length_of(text)) {
        copy(to, text, size);
        errno = ENAMETOOLONG;
        return -1;
    }
    copy(to, text, length_of(text) + 1);
    return 0;
}
";
const REALPATH: &str = "
char *__wrap_NAME(const char *path, char *to);
char *__wrap_NAME(const char *path, char *to)
{
    const char *text = answer(\"realpath\");

    if (!path)
        errno = EINVAL;
    if (!path || !text)
        return NULL;
    if (length_of(text) >= 4096) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    return text_at(to, text);
}
";
